import { randomBytes } from 'node:crypto';
import type { ApiKey } from '../../src/domain/accounts/api-keys.ts';
import { FULL_ACCESS } from '../../src/domain/accounts/api-keys.ts';
import type { Clock } from '../../src/domain/clock-and-random.ts';
import type { LinkTarget, NewLink, StoredLink } from '../../src/domain/links/stored-link.ts';
import type { Store } from '../../src/store/open-store.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import type { CreateOutcome, CreateRequest } from '../../src/store/sql/create-request.ts';
import type { Database } from '../../src/store/sql/database.ts';
import type { TakenMessages } from '../../src/store/sql/import-queries.ts';
import type { NewKey } from '../../src/store/sql/key-queries.ts';

/** A database for one test, on a real engine. */
export interface TestDatabase {
  address: string;
  /**
   * Opens the database as a service process does. Further calls simulate further processes. The default clock never
   * advances.
   *
   * @param foldsCase true to refuse short codes with capital letters
   */
  open(now?: number, clock?: Clock, foldsCase?: boolean): Promise<Store>;
  connect(): Promise<Database>;
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

/** User agent of a person's browser. */
export const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';

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
export function targetOf({ links }: Store, code: string): Promise<LinkTarget | null> {
  return links.resolve(code);
}

/**
 * Returns a create request, by default with very high limits. The response is a JSON list with the stored links. An
 * entry is `taken` if the link was not created.
 */
export function submission(
  key: ApiKey,
  { links = [], ...more }: Partial<CreateRequest> & { links?: NewLink[] } = {},
): CreateRequest {
  return {
    key,
    limits: { throttle: 100_000, quota: 1_000_000 },
    accountQuota: null,
    idempotency: null,
    async respond({ insert }) {
      const made: (StoredLink | 'taken')[] = [];
      for (const link of links) made.push((await insert(link)) ?? 'taken');
      return { status: 207, body: JSON.stringify(made), location: null };
    },
    ...more,
  };
}

/** Returns the links that a request has created, or `taken` for links that it has not created. */
export function linksOf(outcome: CreateOutcome): (StoredLink | 'taken')[] | null {
  return 'response' in outcome ? JSON.parse(outcome.response.body) : null;
}

/** Returns the codes of the created links. An entry is null if the link was not created. */
export function codesOf(outcome: CreateOutcome): (string | null)[] | null {
  return linksOf(outcome)?.map((made) => (typeof made === 'string' ? null : made.code)) ?? null;
}

/** Charges an account's daily quota for links, one unit at a time. Returns the number of charged units. */
export async function chargeLinks({ links }: Store, account: number, units: number, max: number): Promise<number> {
  let charged = 0;
  for (let unit = 0; unit < units; unit += 1) {
    const form = { submission: null, quota: max, now: NOON };
    const { spent } = await links.createFromForm(account, link([randomBytes(8).toString('hex')]), form);
    charged += spent?.granted ?? 0;
  }
  return charged;
}

export async function quotaLeft({ createRequests }: Store, key: ApiKey, quota = 1_000_000): Promise<number> {
  const { quota: left } = await createRequests.left(key, { limits: { throttle: 1, quota }, accountQuota: null });
  return left.remaining;
}
