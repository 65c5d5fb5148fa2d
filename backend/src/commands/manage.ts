import { KEY_SCOPES } from '@terse/contract';
import { InvalidArgumentError } from 'commander';
import {
  type ApiKey,
  accessProblem,
  FULL_ACCESS,
  generateKey,
  hashKey,
  type KeyAccess,
  keyNameProblem,
  lastFour,
} from '../domain/accounts/api-keys.ts';
import {
  accountNameProblem,
  createInvitation,
  invitationLink,
  normalizeName,
} from '../domain/accounts/names-invitations-sessions.ts';
import type { Random } from '../domain/clock-and-random.ts';
import { isStoredCode } from '../domain/links/short-codes.ts';
import { purgeDeletedAccounts } from '../maintenance/maintenance.ts';
import type { Store } from '../store/open-store.ts';
import { type Account, FIRST_ACCOUNT } from '../store/sql/account-queries.ts';

/** An ID that a user typed. */
const ID = /^[1-9]\d{0,14}$/;

export interface Inviter {
  store: Store;
  random: Random;
  baseUrl: string;
  now: number;
}

/**
 * Returns a link for setting up the first account. Returns null if the account is already set up. Earlier setup links
 * stay valid.
 */
export async function setupLink(inviter: Inviter): Promise<string | null> {
  const accounts = await inviter.store.accounts.list();
  return accounts.some(({ hasHolder }) => hasHolder) ? null : invite(inviter, FIRST_ACCOUNT);
}

export async function createAccount(inviter: Inviter, text: string): Promise<string> {
  const name = normalizeName(text);
  const problem = accountNameProblem(name);
  if (problem) throw new InvalidArgumentError(problem);
  const { id } = await inviter.store.accounts.create(name, inviter.now);
  return invite(inviter, id);
}

/** Returns a link for choosing a new password. The old password works until the user chooses a new one. */
export async function resetAccount(inviter: Inviter, id: string): Promise<string> {
  const account = await findAccount(inviter.store, id);
  if (account.disabledAt !== null)
    throw new InvalidArgumentError(`Account ${id} is disabled. Enable it with "accounts enable".`);
  return invite(inviter, account.id);
}

/** Disables an account. Its user cannot sign in and its API keys are refused, but its short links still redirect. */
export async function disableAccount(store: Store, id: string, now: number): Promise<void> {
  await store.accounts.disable(await findOtherAccount(store, id), now);
}

/** Enables a disabled account. The password and the API keys work again. */
export async function enableAccount(store: Store, id: string): Promise<void> {
  await store.accounts.enable((await findAccount(store, id)).id);
}

/** Deletes an account and all its data permanently. Its short codes are never used for other links. */
export async function deleteAccount(store: Store, id: string, now: number): Promise<void> {
  await store.accounts.remove({ accountId: await findOtherAccount(store, id), verified: null, now });
  await purgeDeletedAccounts(store, now);
}

export async function listAccounts(store: Store): Promise<string> {
  const accounts = await store.accounts.list();
  const rows = accounts.map((account) => [String(account.id), account.name, stateOf(account)]);
  return table([['ID', 'NAME', 'CAN SIGN IN'], ...rows]);
}

function stateOf({ hasHolder, disabledAt }: Account): string {
  if (disabledAt !== null) return 'disabled';
  return hasHolder ? 'yes' : 'invited';
}

async function findAccount(store: Store, id: string): Promise<Account> {
  const account = ID.test(id) ? await store.accounts.get(Number(id)) : null;
  if (!account) throw new InvalidArgumentError(`There is no account ${id}. List all accounts with "accounts list".`);
  return account;
}

/** Returns the ID of an account that does not belong to the owner. */
async function findOtherAccount(store: Store, id: string): Promise<number> {
  const account = await findAccount(store, id);
  if (account.id !== FIRST_ACCOUNT) return account.id;
  throw new InvalidArgumentError('Account 1 belongs to the owner and cannot be disabled or deleted.');
}

async function invite({ store, random, baseUrl, now }: Inviter, accountId: number): Promise<string> {
  const { token, stored } = createInvitation(random, accountId, now);
  await store.accounts.invite(stored);
  return invitationLink(baseUrl, token);
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
  const rows = (await store.keys.list()).map(keyRow);
  return table([['ID', 'KEY', 'NAME', 'SCOPES', 'CREATED', 'LAST USED', 'REVOKED'], ...rows]);
}

export async function revokeKey(store: Store, id: string, now: number): Promise<void> {
  const isRevoked = ID.test(id) && (await store.keys.revoke(Number(id), now));
  if (!isRevoked) throw new InvalidArgumentError(`There is no key ${id}. List all keys with "keys list".`);
}

function keyRow({ id, lastFour, name, createdAt, lastUsedAt, revokedAt, scopes, ownLinksOnly }: ApiKey): string[] {
  const access = scopes.join(',') + (ownLinksOnly ? ' (own links)' : '');
  return [String(id), `…${lastFour}`, name, access, ...[createdAt, lastUsedAt, revokedAt].map(formatMinute)];
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

/** Returns rows as a text whose columns are aligned. */
function table(rows: string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0))) ?? [];
  const line = (cells: string[]) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return rows.map((cells) => line(cells).trimEnd()).join('\n');
}
