import type { RefusalCode, Reply } from '../messages/messages.ts';
import { accept, cancel, retry, type Wish } from '../queue/requests.ts';
import type { ConnectionInfo } from '../queue/types.ts';
import type { Store } from '../storage/store.ts';

/** What a person can want of the queue. Each is answered once it is on disk. */
export class Wishes {
  readonly #store: Store;
  /** The queue has taken over from the life before; then, something may be due. */
  readonly #ready: () => Promise<void>;
  readonly #moved: () => void;

  constructor(store: Store, ready: () => Promise<void>, moved: () => void) {
    this.#store = store;
    this.#ready = ready;
    this.#moved = moved;
  }

  async shorten(wish: Wish): Promise<Reply> {
    await this.#ready();
    const refusal = await this.#store.transact((snapshot, time, made) => {
      const refused = refusalOf(wish.url, snapshot.connection);
      // A page that got no reply asks again with the same id, maybe long after the first one ended in a link.
      const next = refused || made ? snapshot : accept(snapshot, wish, crypto.randomUUID(), time);
      return { snapshot: next, value: refused };
    }, wish.id);
    if (!refusal) this.#moved();
    return refusal ? { ok: false, code: refusal } : { ok: true, value: null };
  }

  /** Too late for a request that is being sent: it cannot be called back. */
  async cancel(id: string): Promise<Reply> {
    await this.#ready();
    const sending = await this.#store.transact((snapshot) => {
      const found = snapshot.requests.find((request) => request.id === id);
      return { snapshot: found ? cancel(snapshot, id) : snapshot, value: found?.state === 'sending' };
    });
    this.#moved();
    return sending ? { ok: false, code: 'too_late' } : { ok: true, value: null };
  }

  async retry(id: string): Promise<Reply> {
    await this.#ready();
    await this.#store.transact((snapshot) => ({ snapshot: retry(snapshot, id, crypto.randomUUID()), value: null }));
    this.#moved();
    return { ok: true, value: null };
  }
}

/** Why a URL is not taken; null for one that is. What else a service refuses, it says itself. */
export function refusalOf(url: string, connection: ConnectionInfo | null): RefusalCode | null {
  const parsed = URL.parse(url);
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') return 'not_shortenable';
  if (!connection) return 'no_connection';
  const short = connection.service && URL.parse(connection.service.shortBaseUrl);
  return short?.origin === parsed.origin ? 'own_short_link' : null;
}
