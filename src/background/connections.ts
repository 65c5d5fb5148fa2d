import { parseServiceAddress } from '@terse/contract';
import type { ConnectionReport, Reply } from '../messages/messages.ts';
import { reconcile } from '../queue/budget.ts';
import { connectionChanged, mended } from '../queue/requests.ts';
import type { ConnectionInfo } from '../queue/types.ts';
import { lookAt, type Sighting } from '../service/look.ts';
import type { Fetch } from '../service/send.ts';
import type { Store } from '../storage/store.ts';

/** What a header can carry, and no key is longer. */
const KEY_PATTERN = /^[\x21-\x7e]{1,512}$/;

/** The last four of a shorter key would be too much of it. */
const SHORTEST_SHOWN = 10;

export interface ConnectionDoors {
  store: Store;
  fetch: Fetch;
  permitted: (baseUrl: string) => Promise<boolean>;
  ready: () => Promise<void>;
  moved: () => void;
}

/** Testing, keeping and forgetting the connection. The API key goes in here and comes out for nobody. */
export class Connections {
  readonly #doors: ConnectionDoors;

  constructor(doors: ConnectionDoors) {
    this.#doors = doors;
  }

  /** Looks at a service; stores nothing and spends nothing. */
  async test(address: string, typedKey: string | null): Promise<Reply<ConnectionReport>> {
    const given = await this.#given(address, typedKey);
    if ('code' in given) return { ok: false, code: given.code };
    if (!(await this.#doors.permitted(given.baseUrl))) return report({ reached: false, problem: 'permission' });
    return report(reportOf(await lookAt(this.#doors.fetch, given.baseUrl, given.apiKey)));
  }

  /** Stores a connection. A service that is out of reach is stored too; a key that it refuses is not. */
  async connect(address: string, typedKey: string | null): Promise<Reply<ConnectionReport>> {
    const given = await this.#given(address, typedKey);
    if ('code' in given) return { ok: false, code: given.code };
    const { baseUrl, apiKey } = given;
    if (!(await this.#doors.permitted(baseUrl))) return { ok: false, code: 'no_permission' };
    const sighting = await lookAt(this.#doors.fetch, baseUrl, apiKey);
    if (sighting.reached && sighting.key === 'refused') return { ok: false, code: 'invalid_key' };
    const id = await idOf(baseUrl, apiKey);
    await this.#doors.ready();
    await this.#doors.store.transact((snapshot) => {
      const service = serviceOf(sighting) ?? (snapshot.connection?.id === id ? snapshot.connection.service : null);
      const connection = { id, baseUrl, lastFour: lastFourOf(apiKey), service };
      const next = mended(connectionChanged({ ...snapshot, connection, budget: null }), () => crypto.randomUUID());
      return { snapshot: next, apiKey, value: null };
    });
    // Its own budget is there from now on, with what an earlier connection by this key has spent.
    await this.#doors.store.transact((snapshot, time) => {
      const same = snapshot.connection?.id === id;
      const budget =
        same && snapshot.budget && sighting.reached ? reconcile(snapshot.budget, sighting, time) : snapshot.budget;
      return { snapshot: { ...snapshot, budget }, value: null };
    });
    this.#doors.moved();
    return report(reportOf(sighting));
  }

  /** Forgets address and key. What waits stays, and goes to the next connection. */
  async forget(): Promise<Reply> {
    await this.#doors.ready();
    await this.#doors.store.transact((snapshot) => ({
      snapshot: connectionChanged({ ...snapshot, connection: null, budget: null }),
      apiKey: null,
      value: null,
    }));
    this.#doors.moved();
    return { ok: true, value: null };
  }

  /** The stored key is for the address it was stored with: typed with another, it would be handed to a stranger. */
  async #given(address: string, typedKey: string | null) {
    const parsed = parseServiceAddress(address);
    if ('problem' in parsed) return { code: 'invalid_address' as const };
    const stored = await this.#doors.store.transact((snapshot) => ({ snapshot, value: snapshot.connection }));
    const apiKey = typedKey?.trim() ?? (stored?.baseUrl === parsed.baseUrl ? await this.#doors.store.apiKey() : null);
    if (!apiKey || !KEY_PATTERN.test(apiKey)) return { code: 'invalid_key' as const };
    return { baseUrl: parsed.baseUrl, apiKey };
  }
}

/** Enough to tell one's keys apart by, and too little to guess the rest from. */
function lastFourOf(apiKey: string): string {
  return apiKey.length < SHORTEST_SHOWN ? '' : apiKey.slice(-4);
}

/** What the connection keeps of a service document. */
export function serviceOf(sighting: Sighting): ConnectionInfo['service'] {
  if (!sighting.reached || !sighting.document) return null;
  const { name, shortBaseUrl, features } = sighting.document;
  return { name, shortBaseUrl, features };
}

function reportOf(sighting: Sighting): ConnectionReport {
  if (!sighting.reached) return sighting;
  const { document, key } = sighting;
  if (key === null) return { reached: true, service: document, key: { state: 'untested' } };
  if (key === 'refused') return { reached: true, service: document, key: { state: 'refused' } };
  const perSecond = key.throttle.limit / Math.max(1, key.throttle.windowSeconds);
  return { reached: true, service: document, key: { state: 'accepted', name: key.name, quota: key.quota, perSecond } };
}

function report(value: ConnectionReport): Reply<ConnectionReport> {
  return { ok: true, value };
}

/** Tells one key at one service from any other, without saying anything of the key. */
async function idOf(baseUrl: string, apiKey: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${baseUrl}\n${apiKey}`));
  return [...new Uint8Array(digest, 0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
