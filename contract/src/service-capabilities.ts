import * as z from 'zod/mini';

/**
 * Format of the short codes that the service generates. Clients can also generate codes in this format with
 * `crypto.getRandomValues`, and should make all symbols equally likely. If the service returns the error
 * `short_code_taken`, the client generates another code.
 */
export const NewCodes = z.object({
  /**
   * Characters used in generated short codes, without duplicates. All of these characters are also valid in custom
   * short codes.
   */
  alphabet: z.string().check(z.regex(/^(?!.*(.).*\1)[A-Za-z0-9_-]{2,64}$/)),
  length: z.int().check(z.gte(3), z.lte(64)),
});
export type NewCodes = z.infer<typeof NewCodes>;

const Origin = z.url({ protocol: /^https?$/ });

/** Response of `GET /api`, which describes the service. The request needs no API key. */
export const ServiceDocument = z.object({
  name: z.string().check(z.describe('Name of the software.')),
  version: z.string().check(z.describe('Version of the software.')),
  shortBaseUrl: Origin.check(z.describe('Origin of the short URLs of the default domain.')),
  domains: z
    .catch(z.optional(z.array(z.object({ name: z.string(), shortBaseUrl: Origin }))), undefined)
    .check(
      z.describe(
        'Domains of the short URLs, the default first. Requests name a domain by its `name`. Absent in services with one domain.',
      ),
    ),
  features: z.array(z.string()).check(z.describe('Features as stable words. Ignore unknown ones.')),
  codes: z
    .catch(z.optional(NewCodes), undefined)
    .check(
      z.describe(
        'Alphabet and length of new short codes. A client that generates a code this way sends it as `shortCode`. Absent if clients cannot choose codes.',
      ),
    ),
  refusedTargets: z
    .catch(z.optional(z.array(z.string())), undefined)
    .check(
      z.describe(
        'Kinds of URLs that are always refused: `own` (hosts of this service), `private` (hosts of private networks). Ignore unknown ones.',
      ),
    ),
  maxUrlBytes: z
    .catch(z.optional(z.int().check(z.positive())), undefined)
    .check(z.describe('Maximum length of a long URL, in bytes after normalization.')),
});
export type ServiceDocument = z.infer<typeof ServiceDocument>;

/** Optional features of a service. Clients ignore unknown features. */
export const FEATURE = {
  /** The service supports `Idempotency-Key` for all POST requests that create links. */
  idempotency: 'idempotency',
  /** The service supports `POST /api/v1/urls/batch`. */
  batch: 'batch',
  /**
   * Links in a batch request can have an `idempotencyKey`, which has the same effect as in a request for a single
   * link.
   */
  itemIdempotency: 'item-idempotency',
  /** The service can create, list, read and delete links at `/api/v1/urls`. */
  links: 'links',
  /** The service supports `GET /api/v1/analytics/{shortCode}`. */
  analytics: 'analytics',
  /** `GET /api/v1/key` returns the limits of the API key. The request does not count against these limits. */
  key: 'key',
  /** The service sends the headers `RateLimit` and `RateLimit-Policy`. */
  rateLimit: 'rate-limit',
  /**
   * The service accepts custom short codes. `codes` in the response of `GET /api` describes the format of generated
   * codes.
   */
  chosenCodes: 'chosen-codes',
  /** The service supports `PATCH /api/v1/urls/{shortCode}`. */
  edit: 'edit',
  /**
   * Links can have tags, and the list of links can be filtered by a tag. Services without this feature ignore the
   * field `tags`.
   */
  tags: 'tags',
  /**
   * Links can forward the visitor's query parameters. Services without this feature ignore the field `forwardQuery`.
   */
  forwardQuery: 'forward-query',
} as const;
