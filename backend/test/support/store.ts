import { randomBytes } from 'node:crypto';
import type { ApiKey } from '../../src/domain/accounts/api-keys.ts';
import { FULL_ACCESS } from '../../src/domain/accounts/api-keys.ts';
import type { Clock } from '../../src/domain/clock-and-random.ts';
import type { LinkTarget, NewLink } from '../../src/domain/links/stored-link.ts';
import type { CreateOutcome, CreateRequest } from '../../src/store/interface/create-request-store.ts';
import type { TakenMessages } from '../../src/store/interface/import-store.ts';
import { FIRST_ACCOUNT, type NewKey, type Store } from '../../src/store/interface/store.ts';

/** A database for one test, on a real engine. */
export interface TestDatabase {
  address: string;
  /**
   * Opens the database as a service process does. Further calls simulate further processes. The default clock never
   * advances.
   *
   * @param foldsCase true if lookups ignore the case of short codes
   */
  open(now?: number, clock?: Clock, foldsCase?: boolean): Promise<Store>;
  execute(sql: string): Promise<void>;
  drop(): Promise<void>;
}

export interface Engine {
  name: string;
  create(): Promise<TestDatabase>;
  /** Creates a database with all migrations, applied at `NOON`. Faster than `create`. */
  createMigrated(): Promise<TestDatabase>;
}

export const NOON = Date.UTC(2026, 6, 1, 12);

/** Error messages for imported rows whose short code is taken. */
export const TAKEN: TakenMessages = { own: 'You have it.', deleted: 'You had it.', other: 'It is taken.' };

export function makeKey(store: Store, own: Partial<NewKey> = {}): Promise<ApiKey> {
  return store.keys.create({ ...newKey(), ...own });
}

/** Returns a new key of the first account with full access and the default limits. */
export function newKey(hash: Uint8Array = randomBytes(32)): NewKey {
  const limits = { throttle: null, quota: null };
  return {
    accountId: FIRST_ACCOUNT,
    name: 'test',
    hash,
    lastFour: 'abcd',
    createdAt: NOON,
    ...limits,
    ...FULL_ACCESS,
  };
}

export function link(codes: Iterable<string>, more: Partial<NewLink> = {}): NewLink {
  return { codes, url: 'https://example.com/', title: null, expiresAt: null, forwardQuery: null, tags: [], ...more };
}

/** Returns the target URL of a code, or null if the code is unknown. */
export async function targetOf({ links }: Store, code: string): Promise<LinkTarget | null> {
  const [target = null] = await links.resolve([code]);
  return target;
}

/** Returns a create request, by default with very high limits. */
export function submission(key: ApiKey, more: Partial<CreateRequest> = {}): CreateRequest {
  return {
    key,
    limits: { throttle: 100_000, quota: 1_000_000 },
    accountQuota: null,
    idempotency: null,
    links: [],
    draft: '',
    ...more,
  };
}

/**
 * Returns the codes of the created links. An entry is null if all its codes were taken, or `reused` if the
 * idempotency key was used for another link.
 */
export function codesOf(outcome: CreateOutcome): (string | null)[] | null {
  if (!('result' in outcome) || !('made' in outcome.result)) return null;
  return outcome.result.made.map((made) => (made === 'reused' ? made : (made?.code ?? null)));
}

export async function quotaLeft({ createRequests }: Store, key: ApiKey, quota = 1_000_000): Promise<number> {
  const { quota: left } = await createRequests.left(key, { limits: { throttle: 1, quota }, accountQuota: null });
  return left.remaining;
}
