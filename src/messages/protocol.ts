import type { LinkOptions } from '../queue/types.ts';
import type { LinkQuery } from '../storage/link-queries.ts';

/** An address to shorten, as a page, a menu or a list names it. The id is minted by who asks: asking twice is asking once. */
export interface ShortenCommand {
  id: string;
  url: string;
  title: string;
}

/** What a page may ask of the background. Each is answered with `Reply`; asking again is safe, but for `retry`. */
export type Message =
  /**
   * Accept requests; several are a group. Answered once they are committed, or with the links that exist already.
   * `connectionId` null: the default connection. `anew`: make another link even where one exists. `groupId`: what the
   * group is to be found by, minted by who asks. `options` null: the user's link defaults apply, to the URL too.
   * `insteadOf`: a request that the new one replaces, given up only once the new one is accepted.
   */
  | {
      type: 'shorten';
      orders: ShortenCommand[];
      connectionId: string | null;
      options: LinkOptions | null;
      anew: boolean;
      private: boolean;
      groupId?: string;
      insteadOf?: string | undefined;
    }
  /** Give up requests that wait, failed, are unanswered or undecided. */
  | { type: 'cancel'; ids: string[] }
  /** Send a failed, unanswered or undecided request again now. */
  | { type: 'retry'; id: string }
  /** Note that the person has the short URL of a request that waits: copied, or shown as a QR code. */
  | { type: 'handed-out'; connectionId: string; requestId: string; shortUrl: string }
  /** The person asks a queue to go on now: guessed pauses and halts that they can end are dropped. */
  | { type: 'try-now'; connectionId: string }
  /** Put a queue on hold, or let it go on: nothing else ever does either. */
  | { type: 'set-on-hold'; connectionId: string; isOnHold: boolean }
  /** A page heard that the network is back. */
  | { type: 'online' }
  /** Probe a service without storing anything or spending budget. A null key means the stored one. */
  | { type: 'test-connection'; connectionId: string | null; baseUrl: string; apiKey: string | null }
  /** Store a connection (null: a new one). A null key keeps the stored one (only where the address is unchanged). */
  | { type: 'save-connection'; connectionId: string | null; name: string; baseUrl: string; apiKey: string | null }
  | { type: 'set-default-connection'; connectionId: string }
  /** What waits goes to `moveTo`; null: it is dropped; 'keep': it waits for the next connection that is added. */
  | { type: 'forget-connection'; connectionId: string; waiting: { moveTo: string } | 'keep' | 'drop' }
  /**
   * Ask the service of a connection about its links, under `/api/v1/`. Spends no budget. A link that a DELETE finds gone,
   * `linkId`, leaves the history too.
   */
  | {
      type: 'call-service';
      connectionId: string;
      /** Where the connection led when the page last looked: it may lead elsewhere by now, where another link has the code. */
      baseUrl: string;
      method: 'GET' | 'PATCH' | 'DELETE';
      path: string;
      body?: object;
      linkId?: string;
    }
  /** A page has stored what a file held. */
  | { type: 'imported' }
  /** Delete all that is kept, keys too. What is being sent may still arrive. */
  | { type: 'delete-everything' }
  | { type: 'remove-link'; id: string }
  /** Delete the links that no connected service lists. */
  | { type: 'clear-links' }
  /** What pages read, for those that cannot read the database (private windows in Firefox). */
  | { type: 'read-queues'; private: boolean }
  | { type: 'read-links'; private: boolean; query: LinkQuery }
  | { type: 'read-group'; private: boolean; id: string };

/** What a service answered, untrusted, or why it was not asked or did not answer. */
export type ServiceAnswer =
  | {
      /** Of HTTP. */
      status: number;
      /** Parsed JSON; undefined where it is none. */
      body: unknown;
      /** How long it asks to wait; null: it does not say. */
      waitSeconds: number | null;
      problem?: undefined;
    }
  | { status: 0; problem: 'no_connection' | 'permission' | 'redirected' | 'unreachable' | 'not_understood' };

/** What a `shorten` came to: requests that are on their way, and links that were there already. */
export interface Accepted {
  requestIds: string[];
  /** By the order's id. */
  existing: { orderId: string; linkId: string; shortUrl: string }[];
  /** What is not taken of a list. A single order that is not taken is refused as a whole. */
  refused: { orderId: string; code: RefusalCode }[];
  /** User info (`user:password@`) was taken off an address before it was accepted. */
  userInfoRemoved: boolean;
}

/** Why the background did not do what was asked; each has a sentence in `_locales` under `refusal_<code>`. */
export type RefusalCode =
  | 'not_shortenable'
  | 'no_address'
  | 'own_short_link'
  | 'target_refused'
  | 'no_connection'
  | 'options_not_supported'
  | 'too_late'
  | 'invalid_address'
  | 'invalid_key'
  | 'key_refused'
  | 'key_forbidden'
  | 'already_connected'
  | 'changed_meanwhile'
  | 'no_permission'
  | 'storage_full'
  | 'private_full'
  | 'internal';

/** What a probe of a service found. Nothing of it cost any budget. */
export type ConnectionReport =
  | {
      reached: true;
      /** The connection as it was stored; null after a mere test. */
      connectionId: string | null;
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
        | { state: 'refused' | 'forbidden' }
        | { state: 'untested' };
    }
  | {
      reached: false;
      connectionId: string | null;
      problem: 'permission' | 'unreachable' | 'unavailable' | 'timeout' | 'redirected';
    };

/** `fits`: so many of what was asked for there is room for, the first ones. */
export type Reply<T = null> = { ok: true; value: T } | { ok: false; code: RefusalCode; fits?: number };
