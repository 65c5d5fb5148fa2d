import { KEY_SCOPES } from '@terse/contract';
import {
  accessProblem,
  FULL_ACCESS,
  hashKey,
  type KeyAccess,
  keyNameProblem,
  lastFour,
  mintKey,
} from '../domain/keys.ts';
import { plainName } from '../domain/name-rules.ts';
import type { Random } from '../domain/random.ts';
import { type ApiKey, FIRST_ACCOUNT, type Store } from '../store/store.ts';
import { table } from './table.ts';
import { UsageError } from './usage-error.ts';

/** Makes a key and returns it; it is never shown again. */
export async function createKey(
  store: Store,
  random: Random,
  key: { name: string; throttle: number | null; quota: number | null } & Partial<KeyAccess>,
  now: number,
): Promise<string> {
  const name = plainName(key.name);
  const access = { ...FULL_ACCESS, ...key };
  const problem = keyNameProblem(name) ?? accessProblem(access);
  if (problem) throw new UsageError(problem);
  const text = mintKey(random);
  await store.keys.create({
    ...access,
    accountId: FIRST_ACCOUNT,
    name,
    hash: hashKey(text),
    lastFour: lastFour(text),
    createdAt: now,
  });
  return text;
}

/**
 * What a key may do, as it is typed: some of the scopes with commas between them, or nothing for all of them.
 *
 * @throws UsageError where one of them is no scope
 */
export function readAccess(scopes: string | undefined, ownLinksOnly = false): KeyAccess {
  if (scopes === undefined) return { ...FULL_ACCESS, ownLinksOnly };
  const named = scopes.split(',').map((scope) => scope.trim());
  const known = KEY_SCOPES.filter((scope) => named.includes(scope));
  if (known.length < new Set(named).size) {
    throw new UsageError(`--scopes must be some of ${KEY_SCOPES.join(',')}, with commas between them.`);
  }
  return { scopes: known, ownLinksOnly };
}

/** Every key as a table, one a line. */
export async function listKeys(store: Store): Promise<string> {
  return table([
    ['ID', 'KEY', 'NAME', 'SCOPES', 'CREATED', 'LAST USED', 'REVOKED'],
    ...(await store.keys.list()).map(row),
  ]);
}

/** Revokes a key, for ever. */
export async function revokeKey(store: Store, id: string, now: number): Promise<void> {
  const known = /^[1-9]\d{0,14}$/.test(id) && (await store.keys.revoke(Number(id), now));
  if (!known) throw new UsageError(`There is no key ${id}. "keys list" shows them all.`);
}

function row({ id, lastFour, name, createdAt, lastUsedAt, revokedAt, ...access }: ApiKey): string[] {
  const instants = [createdAt, lastUsedAt, revokedAt].map(minute);
  return [String(id), `…${lastFour}`, name, accessText(access), ...instants];
}

function accessText({ scopes, ownLinksOnly }: KeyAccess): string {
  return scopes.join(',') + (ownLinksOnly ? ' (own links)' : '');
}

function minute(instant: number | null): string {
  return instant === null ? '-' : `${new Date(instant).toISOString().slice(0, 16)}Z`;
}
