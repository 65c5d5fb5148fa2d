import { FULL_ACCESS, hashKey, type KeyAccess, keyNameProblem, lastFour, mintKey } from '../domain/keys.ts';
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
  const name = key.name.trim();
  const problem = keyNameProblem(name);
  if (problem) throw new UsageError(problem);
  const text = mintKey(random);
  await store.keys.create({
    ...FULL_ACCESS,
    ...key,
    accountId: FIRST_ACCOUNT,
    name,
    hash: hashKey(text),
    lastFour: lastFour(text),
    createdAt: now,
  });
  return text;
}

/** Every key as a table, one a line. */
export async function listKeys(store: Store): Promise<string> {
  return table([['ID', 'KEY', 'NAME', 'CREATED', 'LAST USED', 'REVOKED'], ...(await store.keys.list()).map(row)]);
}

/** Revokes a key, for ever. */
export async function revokeKey(store: Store, id: string, now: number): Promise<void> {
  const known = /^[1-9]\d{0,14}$/.test(id) && (await store.keys.revoke(Number(id), now));
  if (!known) throw new UsageError(`There is no key ${id}. "keys list" shows them all.`);
}

function row({ id, lastFour, name, createdAt, lastUsedAt, revokedAt }: ApiKey): string[] {
  return [String(id), `…${lastFour}`, name, minute(createdAt), minute(lastUsedAt), minute(revokedAt)];
}

function minute(instant: number | null): string {
  return instant === null ? '-' : `${new Date(instant).toISOString().slice(0, 16)}Z`;
}
