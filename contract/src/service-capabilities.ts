import * as z from 'zod/mini';

/**
 * What the service's own new codes are made of. A client that mints one itself (`crypto.getRandomValues`, each symbol
 * equally likely) sends it as a chosen code, and mints another where it is answered `short_code_taken`.
 */
export const NewCodes = z.object({
  /** Every symbol once, all of them symbols that a chosen code may have. */
  alphabet: z.string().check(z.regex(/^(?!.*(.).*\1)[A-Za-z0-9_-]{2,64}$/)),
  /** In symbols. */
  length: z.int().check(z.gte(3), z.lte(64)),
});
export type NewCodes = z.infer<typeof NewCodes>;

/** Answer of `GET /api`: what this service is. Needs no key. */
export const ServiceDocument = z.object({
  name: z.string(),
  version: z.string(),
  shortBaseUrl: z.url({ protocol: /^https?$/ }),
  features: z.array(z.string()),
  /** Present where the service takes chosen codes. A value of another form is taken as absent. */
  codes: z.catch(z.optional(NewCodes), undefined),
  /** Kinds of targets it refuses: see `REFUSED_TARGET`. Absent if it does not say. */
  refusedTargets: z.catch(z.optional(z.array(z.string())), undefined),
});
export type ServiceDocument = z.infer<typeof ServiceDocument>;

/** Features a service can say it has; a client ignores the ones it does not know. */
export const FEATURE = {
  /** Honours `Idempotency-Key` on every creating POST. */
  idempotency: 'idempotency',
  /** `POST /api/v1/urls/batch`. */
  batch: 'batch',
  /** Items of a batch may carry an `idempotencyKey`: the same as that of `POST /api/v1/urls` for the item by itself. */
  itemIdempotency: 'item-idempotency',
  /** `GET /api/v1/key` tells the key's limits and what is left, at no cost. */
  key: 'key',
  /** Sends `RateLimit` and `RateLimit-Policy`. */
  rateLimit: 'rate-limit',
  /** Create, list, read and delete under `/api/v1/urls`. */
  links: 'links',
  /** `GET /api/v1/analytics/{shortCode}`. */
  analytics: 'analytics',
  /** Takes codes of the client's choice, and says under `codes` what its own are made of, so that a client can mint some. */
  chosenCodes: 'chosen-codes',
  /** `PATCH /api/v1/urls/{shortCode}`. */
  edit: 'edit',
} as const;
