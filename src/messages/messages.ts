import * as z from 'zod/mini';

const Id = z.string().check(z.minLength(8), z.maxLength(64));

const Wanted = z.object({
  latest: z.optional(z.int()),
  urls: z.optional(z.array(z.string())),
  ids: z.optional(z.array(Id)),
});

/** What a page may ask of the background. Each is answered with `Reply`; asking again is safe, but for `retry`. */
export const Message = z.discriminatedUnion('type', [
  /** Accept a request. Answered once it is committed. */
  z.object({ type: z.literal('shorten'), id: Id, url: z.string(), title: z.string(), private: z.boolean() }),
  /** Give up a request that is waiting, failed or unknown. */
  z.object({ type: z.literal('cancel'), id: Id }),
  /** Send a failed or unknown request again. */
  z.object({ type: z.literal('retry'), id: Id }),
  /** Look at a service without storing anything or spending budget. A null key means the stored one. */
  z.object({ type: z.literal('test-connection'), baseUrl: z.string(), apiKey: z.nullable(z.string()) }),
  /** Store a connection. A null key keeps the stored one (only where the address is unchanged). */
  z.object({ type: z.literal('connect'), baseUrl: z.string(), apiKey: z.nullable(z.string()) }),
  z.object({ type: z.literal('forget-connection') }),
  z.object({ type: z.literal('remove-link'), id: Id }),
  z.object({ type: z.literal('clear-links') }),
  /** A permission was granted, or the person asks to try now: drop pauses and halts. */
  z.object({ type: z.literal('resume') }),
  /** The whole view, for pages that cannot read the database (private windows in Firefox). */
  z.object({ type: z.literal('view'), private: z.boolean(), wanted: Wanted }),
]);
export type Message = z.infer<typeof Message>;

/** Why the background did not do what was asked; each has a sentence in `_locales` under `refusal_<code>`. */
export type RefusalCode =
  | 'not_shortenable'
  | 'own_short_link'
  | 'no_connection'
  | 'too_late'
  | 'invalid_address'
  | 'invalid_key'
  | 'no_permission'
  | 'storage_full'
  | 'internal';

/** What a look at a service found. Nothing of it cost any budget. */
export type ConnectionReport =
  | {
      reached: true;
      /** The service document says what it is; null: it has none, and only the specification is relied on. */
      service: { name: string; version: string; shortBaseUrl: string; features: string[] } | null;
      /** Known only where the service has a key document. */
      key:
        | {
            state: 'accepted';
            name: string;
            quota: { limit: number; windowSeconds: number; remaining: number; resetSeconds: number };
            perSecond: number;
          }
        | { state: 'refused' }
        | { state: 'untested' };
    }
  | { reached: false; problem: 'permission' | 'unreachable' | 'unavailable' | 'timeout' | 'redirected' };

export type Reply<T = null> = { ok: true; value: T } | { ok: false; code: RefusalCode };
