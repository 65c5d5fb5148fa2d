import * as z from 'zod/mini';

const Count = z.int().check(z.nonnegative());

/**
 * A limit of `limit` requests per `windowSeconds`. `remaining` is the number of requests left, and `resetSeconds` is
 * the time until the limit resets.
 */
const KeyLimit = z.object({ limit: Count, windowSeconds: Count, remaining: Count, resetSeconds: Count });

export const KEY_LIMITS = {
  name: z.string().check(z.describe('Name that the owner gave the key.')),
  throttle: KeyLimit.check(z.describe('Limit of requests in a short time.')),
  quota: KeyLimit.check(z.describe('Limit of requests per UTC day.')),
};

/** Clients must accept unknown scopes. */
const Scopes = z
  .catch(z.optional(z.array(z.string())), undefined)
  .check(
    z.describe(
      'Scopes of the key: `create` links, `read` links and their clicks, `manage` (edit and delete) links. Absent if the service does not report them.',
    ),
  );

export const KeyLimits = z.object({
  ...KEY_LIMITS,
  scopes: Scopes,
});
export type KeyLimits = z.infer<typeof KeyLimits>;

/**
 * Response of `GET /api/v1/key`, which describes the API key in the request and its remaining limits. The request
 * does not count against these limits.
 */
export const KeyDocument = z.object({
  ...KEY_LIMITS,
  lastFour: z.string().check(z.describe('Last four characters of the key.')),
  createdAt: z.iso.datetime().check(z.describe('UTC.')),
  scopes: Scopes,
  ownLinksOnly: z
    .catch(z.optional(z.boolean()), undefined)
    .check(z.describe('True if the key can read and manage only links that it created itself.')),
});
export type KeyDocument = z.infer<typeof KeyDocument>;

/**
 * Permissions of an API key: `create` links, `read` links and click counts, or `manage` links (edit and delete them).
 */
export const KEY_SCOPES = ['create', 'read', 'manage'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];
