import * as z from 'zod/mini';

/**
 * Form of the service's generated short codes. A client may generate such a code itself (with `crypto.getRandomValues`, all
 * symbols equally likely) and send it as a custom code. If the service returns `short_code_taken`, it generates another.
 */
export const NewCodes = z.object({
  /** Symbols without duplicates. All are valid in custom codes. */
  alphabet: z.string().check(z.regex(/^(?!.*(.).*\1)[A-Za-z0-9_-]{2,64}$/)),
  /** Number of symbols. */
  length: z.int().check(z.gte(3), z.lte(64)),
});
export type NewCodes = z.infer<typeof NewCodes>;

/** Response of `GET /api`, which describes the service. Needs no API key. */
export const ServiceDocument = z.object({
  name: z.string(),
  version: z.string(),
  shortBaseUrl: z.url({ protocol: /^https?$/ }),
  features: z.array(z.string()),
  /** Present if the service accepts custom codes. An invalid value counts as absent. */
  codes: z.catch(z.optional(NewCodes), undefined),
  /** Kinds of URLs that the service refuses: see `REFUSED_TARGET`. Absent if it does not say. */
  refusedTargets: z.catch(z.optional(z.array(z.string())), undefined),
});
export type ServiceDocument = z.infer<typeof ServiceDocument>;

/** Features that a service can report. Clients ignore unknown features. */
export const FEATURE = {
  /** Supports `Idempotency-Key` on all POST requests that create links. */
  idempotency: 'idempotency',
  /** `POST /api/v1/urls/batch`. */
  batch: 'batch',
  /** Items of a batch may have an `idempotencyKey`. It works as in a `POST /api/v1/urls` for this item alone. */
  itemIdempotency: 'item-idempotency',
  /** `GET /api/v1/key` returns the key's limits and costs no quota. */
  key: 'key',
  /** Sends `RateLimit` and `RateLimit-Policy`. */
  rateLimit: 'rate-limit',
  /** Create, list, read and delete under `/api/v1/urls`. */
  links: 'links',
  /** `GET /api/v1/analytics/{shortCode}`. */
  analytics: 'analytics',
  /** Accepts custom codes, and describes its generated codes under `codes`. */
  chosenCodes: 'chosen-codes',
  /** `PATCH /api/v1/urls/{shortCode}`. */
  edit: 'edit',
} as const;
