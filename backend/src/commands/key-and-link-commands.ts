import { KEY_SCOPES } from '@terse/contract';
import { InvalidArgumentError } from 'commander';
import type { ApiKey } from '../domain/accounts/api-keys.ts';
import {
  accessProblem,
  FULL_ACCESS,
  generateKey,
  hashKey,
  type KeyAccess,
  keyNameProblem,
  lastFour,
} from '../domain/accounts/api-keys.ts';
import { normalizeName } from '../domain/accounts/names-invitations-sessions.ts';
import type { Random } from '../domain/clock-and-random.ts';
import { isStoredCode } from '../domain/links/short-codes.ts';
import type { Store } from '../store/open-store.ts';
import { FIRST_ACCOUNT } from '../store/sql/account-queries.ts';

export function table(rows: string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0))) ?? [];
  const line = (cells: string[]) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return rows.map((cells) => line(cells).trimEnd()).join('\n');
}

/** Creates an API key and returns it. The key cannot be displayed again later. */
export async function createKey(
  store: Store,
  random: Random,
  key: { name: string; throttle: number | null; quota: number | null } & Partial<KeyAccess>,
  now: number,
): Promise<string> {
  const name = normalizeName(key.name);
  const access = { ...FULL_ACCESS, ...key };
  const problem = keyNameProblem(name) ?? accessProblem(access);
  if (problem) throw new InvalidArgumentError(problem);
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
 * Parses a comma-separated list of scopes. If the list is omitted, the API key gets all scopes.
 *
 * @throws InvalidArgumentError if a scope does not exist
 */
export function readAccess(scopes: string | undefined, ownLinksOnly = false): KeyAccess {
  if (scopes === undefined) return { ...FULL_ACCESS, ownLinksOnly };
  const names = scopes.split(',').map((scope) => scope.trim());
  const known = KEY_SCOPES.filter((scope) => names.includes(scope));
  if (known.length < new Set(names).size) {
    throw new InvalidArgumentError(
      `--scopes must contain one or more of ${KEY_SCOPES.join(', ')}, separated by commas.`,
    );
  }
  return { scopes: known, ownLinksOnly };
}

export async function listKeys(store: Store): Promise<string> {
  return table([
    ['ID', 'KEY', 'NAME', 'SCOPES', 'CREATED', 'LAST USED', 'REVOKED'],
    ...(await store.keys.list()).map(row),
  ]);
}

export async function revokeKey(store: Store, id: string, now: number): Promise<void> {
  const isRevoked = /^[1-9]\d{0,14}$/.test(id) && (await store.keys.revoke(Number(id), now));
  if (!isRevoked) throw new InvalidArgumentError(`There is no key ${id}. List all keys with "keys list".`);
}

function row({ id, lastFour, name, createdAt, lastUsedAt, revokedAt, ...access }: ApiKey): string[] {
  const instants = [createdAt, lastUsedAt, revokedAt].map(formatMinute);
  return [String(id), `…${lastFour}`, name, accessText(access), ...instants];
}

function accessText({ scopes, ownLinksOnly }: KeyAccess): string {
  return scopes.join(',') + (ownLinksOnly ? ' (own links)' : '');
}

function formatMinute(instant: number | null): string {
  return instant === null ? '-' : `${new Date(instant).toISOString().slice(0, 16)}Z`;
}

/**
 * Permanently deletes a link, regardless of the account that owns it.
 *
 * @param code stored code of the link, which includes the host unless the link is on the default domain
 */
export async function deleteLink(store: Store, code: string, now: number): Promise<void> {
  const isDeleted = isStoredCode(code) && (await store.links.takeDown(code, now));
  if (!isDeleted) throw new InvalidArgumentError(`There is no link with the short code ${code.replace(/^\/\//, '')}.`);
}
