import * as z from 'zod/mini';

const Count = z.int().check(z.nonnegative());

/** `limit` requests per `windowSeconds`. `remaining` are left now, and the limit resets after `resetSeconds`. */
const KeyLimit = z.object({ limit: Count, windowSeconds: Count, remaining: Count, resetSeconds: Count });

/** The part of a key document that clients rely on. */
export const KEY_LIMITS = { name: z.string(), throttle: KeyLimit, quota: KeyLimit };
export const KeyLimits = z.object({
  ...KEY_LIMITS,
  /** Permissions of the key. Absent if the service does not report them; then it answers 403 to what is not allowed. */
  scopes: z.catch(z.optional(z.array(z.string())), undefined),
});
export type KeyLimits = z.infer<typeof KeyLimits>;

/** Response of `GET /api/v1/key`: the key of the request, and its limits. Costs no quota. */
export const KeyDocument = z.object({
  ...KEY_LIMITS,
  lastFour: z.string(),
  createdAt: z.iso.datetime(),
  /** Absent if the service does not report scopes. Unknown scopes are allowed. */
  scopes: z.catch(z.optional(z.array(z.string())), undefined),
  /** True if the key can only read, edit and delete links that it created. */
  ownLinksOnly: z.catch(z.optional(z.boolean()), undefined),
});
export type KeyDocument = z.infer<typeof KeyDocument>;

/** Scopes of an API key: create links, read links and clicks, edit and delete links. */
export const KEY_SCOPES = ['create', 'read', 'manage'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];
