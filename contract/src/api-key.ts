import * as z from 'zod/mini';

const Count = z.int().check(z.nonnegative());

/**
 * A limit of `limit` requests per `windowSeconds`. `remaining` is the number of requests left, and `resetSeconds` is
 * the time until the limit resets.
 */
const KeyLimit = z.object({ limit: Count, windowSeconds: Count, remaining: Count, resetSeconds: Count });

export const KEY_LIMITS = { name: z.string(), throttle: KeyLimit, quota: KeyLimit };
export const KeyLimits = z.object({
  ...KEY_LIMITS,
  /**
   * Permissions of the API key. Absent if the service does not report permissions. Requests without the required
   * permission get status 403.
   */
  scopes: z.catch(z.optional(z.array(z.string())), undefined),
});
export type KeyLimits = z.infer<typeof KeyLimits>;

/**
 * Response of `GET /api/v1/key`, which describes the API key in the request and its remaining limits. The request
 * does not count against these limits.
 */
export const KeyDocument = z.object({
  ...KEY_LIMITS,
  lastFour: z.string(),
  createdAt: z.iso.datetime(),
  /**
   * Permissions of the API key. Absent if the service does not report permissions. Clients must accept unknown
   * scopes.
   */
  scopes: z.catch(z.optional(z.array(z.string())), undefined),
  /** True if the API key can read, edit and delete only links that were created with this key. */
  ownLinksOnly: z.catch(z.optional(z.boolean()), undefined),
});
export type KeyDocument = z.infer<typeof KeyDocument>;

/**
 * Permissions of an API key: `create` links, `read` links and click counts, or `manage` links (edit and delete them).
 */
export const KEY_SCOPES = ['create', 'read', 'manage'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];
