import * as z from 'zod/mini';

const Count = z.int().check(z.nonnegative());

/** `limit` sends per `windowSeconds`; `remaining` now; `resetSeconds` until the window is whole again. */
const KeyLimit = z.object({ limit: Count, windowSeconds: Count, remaining: Count, resetSeconds: Count });

/** What a client goes by of a key document. */
export const KEY_LIMITS = { name: z.string(), throttle: KeyLimit, quota: KeyLimit };
export const KeyLimits = z.object({
  ...KEY_LIMITS,
  /** What the key may do. Absent if the service does not say: then its errors do, with 403. */
  scopes: z.catch(z.optional(z.array(z.string())), undefined),
});
export type KeyLimits = z.infer<typeof KeyLimits>;

/** Answer of `GET /api/v1/key`: the key that asked, its limits and what is left of them. Costs nothing. */
export const KeyDocument = z.object({
  ...KEY_LIMITS,
  lastFour: z.string(),
  createdAt: z.iso.datetime(),
  /** Absent where the service does not tell: then its answers do, with 403. Words that nobody knows yet are let pass. */
  scopes: z.catch(z.optional(z.array(z.string())), undefined),
  /** Whether the key sees, edits and deletes only the links it made itself. */
  ownLinksOnly: z.catch(z.optional(z.boolean()), undefined),
});
export type KeyDocument = z.infer<typeof KeyDocument>;

/** What an API key may do: make links, see links and their clicks, edit and delete links. */
export const KEY_SCOPES = ['create', 'read', 'manage'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];
