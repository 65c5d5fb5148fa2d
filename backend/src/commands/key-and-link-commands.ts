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
import type { LinkRules } from '../domain/links/link-rules.ts';
import { isStoredCode, type ShortBaseUrls, shortUrlOf } from '../domain/links/short-codes.ts';
import { validateLinkForm, withHttps } from '../domain/links/validate-link-form.ts';
import type { Store } from '../store/open-store.ts';
import { FIRST_ACCOUNT } from '../store/sql/account-queries.ts';
import type { LinkPosition } from '../store/sql/link-rows.ts';

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

export interface LinkCreator extends LinkRules {
  store: Store;
  now: number;
}

/**
 * Creates a link in the owner's account and returns its short URL.
 *
 * @param code short code, or an empty string for a random one
 */
export async function createLink(creator: LinkCreator, url: string, code: string): Promise<string> {
  const { store, targets, shortBaseUrls, now } = creator;
  const validated = validateLinkForm(
    { url, code, domain: '', title: '', expiresAt: null, forwardQuery: null, tags: [] },
    creator,
    now,
  );
  if ('problems' in validated) {
    const { problems } = validated;
    const guess = problems.url && withHttps(url, targets);
    throw new InvalidArgumentError(
      guess ? `${problems.url} Did you mean ${guess}?` : (problems.url ?? problems.code ?? ''),
    );
  }
  const created = await store.links.create(FIRST_ACCOUNT, validated.link, now);
  if (!created) throw new InvalidArgumentError(`The short code ${code} is taken. Choose another one.`);
  return shortUrlOf(created.code, shortBaseUrls);
}

const LINKS_PER_READ = 1000;

/**
 * Prints the links of the owner, newest first. Reads and prints them in batches, because an account can have millions
 * of links.
 */
export async function listLinks(
  store: Store,
  shortBaseUrls: ShortBaseUrls,
  print: (text: string) => void,
): Promise<void> {
  let after: LinkPosition | null = null;
  do {
    const links = await store.links.list(FIRST_ACCOUNT, after, LINKS_PER_READ);
    const rows = links.map((link) => [
      shortUrlOf(link.code, shortBaseUrls),
      String(link.clicks),
      formatMinute(link.createdAt),
      formatMinute(link.expiresAt),
      link.url,
    ]);
    const header = [['SHORT URL', 'CLICKS', 'CREATED', 'EXPIRES', 'URL']];
    if (after === null || rows.length > 0) print(table(after === null ? [...header, ...rows] : rows));
    after = links.length < LINKS_PER_READ ? null : (links.at(-1) ?? null);
  } while (after !== null);
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
