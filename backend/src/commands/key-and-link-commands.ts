import { KEY_SCOPES } from '@terse/contract';
import { normalizeName } from '../domain/accounts/account-rules.ts';
import {
  accessProblem,
  FULL_ACCESS,
  generateKey,
  hashKey,
  type KeyAccess,
  keyNameProblem,
  lastFour,
} from '../domain/accounts/api-keys.ts';
import type { ApiKey } from '../domain/accounts/stored-key.ts';
import type { Random } from '../domain/clock-and-random.ts';
import { isLinkCode } from '../domain/links/short-codes.ts';
import { FIRST_ACCOUNT, type Store } from '../store/interface/store.ts';
import { UsageError } from './cli.ts';

/** Rows as lines, each column as wide as its widest cell. */
export function table(rows: string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0))) ?? [];
  const line = (cells: string[]) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return rows.map((cells) => line(cells).trimEnd()).join('\n');
}

/** Makes a key and returns it; it is never shown again. */
export async function createKey(
  store: Store,
  random: Random,
  key: { name: string; throttle: number | null; quota: number | null } & Partial<KeyAccess>,
  now: number,
): Promise<string> {
  const name = normalizeName(key.name);
  const access = { ...FULL_ACCESS, ...key };
  const problem = keyNameProblem(name) ?? accessProblem(access);
  if (problem) throw new UsageError(problem);
  const text = generateKey(random);
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

/** Deletes a link, whoever's it is, so that its holder cannot undo it, nor a deletion of their own before. */
export async function deleteLink(store: Store, code: string, now: number): Promise<void> {
  const known = isLinkCode(code) && (await store.links.takeDown(code, now));
  if (!known) throw new UsageError(`There is no link ${code}.`);
}
