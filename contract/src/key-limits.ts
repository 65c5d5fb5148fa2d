import * as z from 'zod/mini';

const Count = z.int().check(z.nonnegative());

/** `limit` sends per `windowSeconds`; `remaining` now; `resetSeconds` until the window is whole again. */
const KeyLimit = z.object({ limit: Count, windowSeconds: Count, remaining: Count, resetSeconds: Count });

/** What a client goes by of a key document. */
export const KEY_LIMITS = { name: z.string(), throttle: KeyLimit, quota: KeyLimit };
export const KeyLimits = z.object(KEY_LIMITS);
export type KeyLimits = z.infer<typeof KeyLimits>;
