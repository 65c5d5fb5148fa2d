import { randomBytes } from 'node:crypto';
import type { ApiKey } from '../../src/domain/accounts/stored-key.ts';
import { FULL_ACCESS } from '../../src/domain/accounts/api-keys.ts';
import type { Clock } from '../../src/domain/clock-and-random.ts';
import type { LinkTarget, NewLink } from '../../src/domain/links/stored-link.ts';
import type { CreateRequest, Outcome } from '../../src/store/interface/create-request-store.ts';
import { FIRST_ACCOUNT, type NewKey, type Store } from '../../src/store/interface/store.ts';

/** A database made for one test, on a real engine. */
export interface TestDatabase {
  /** As `TERSE_DATABASE` has it. */
  address: string;
  /** Opens it, as one process would; may be called again for a second one. Its clock stands still unless one is given. */
  open(now?: number, clock?: Clock): Promise<Store>;
  /** Runs SQL behind the program's back. */
  execute(sql: string): Promise<void>;
  drop(): Promise<void>;
}

export interface Engine {
  name: string;
  /** Makes an empty database. */
  create(): Promise<TestDatabase>;
  /** Makes one that has every step of the schema, applied at `NOON`, and nothing else: `create` for whom the steps are no matter. */
  createMigrated(): Promise<TestDatabase>;
}

export const NOON = Date.UTC(2026, 6, 1, 12);

export function makeKey(store: Store, own: Partial<NewKey> = {}): Promise<ApiKey> {
  return store.keys.create({ ...newKey(), ...own });
}

/** A key of the first account with a hash of its own, without limits of its own, that may do everything. */
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
  return { codes, url: 'https://example.com/', title: null, expiresAt: null, ...more };
}

/** Where a code leads; null where it was never given out. */
export async function targetOf({ links }: Store, code: string): Promise<LinkTarget | null> {
  const [target = null] = await links.resolve([code]);
  return target;
}

/** A submission without limits worth the name, unless the test says otherwise. */
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

/** The codes of what a submission made, or had made; null for a link whose codes were taken, `reused` for a key that was. */
export function codesOf(outcome: Outcome): (string | null)[] | null {
  if (!('result' in outcome) || !('made' in outcome.result)) return null;
  return outcome.result.made.map((made) => (made === 'reused' ? made : (made?.code ?? null)));
}

/** What is left of a key's quota. */
export async function quotaLeft({ submissions }: Store, key: ApiKey, quota = 1_000_000): Promise<number> {
  const { quota: left } = await submissions.left(key, { limits: { throttle: 1, quota }, accountQuota: null });
  return left.remaining;
}
