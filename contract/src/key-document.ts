import * as z from 'zod/mini';
import { KEY_LIMITS } from './key-limits.ts';

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
