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
