import { InvalidArgumentError } from 'commander';
import {
  accountNameProblem,
  createInvitation,
  invitationLink,
  normalizeName,
} from '../domain/accounts/names-invitations-sessions.ts';
import type { Random } from '../domain/clock-and-random.ts';
import { purgeDeletedAccounts } from '../maintenance/maintenance.ts';
import type { Store } from '../store/open-store.ts';
import { type Account, FIRST_ACCOUNT } from '../store/sql/account-queries.ts';

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
  const account = await findAccount(store, id);
  if (account.id === FIRST_ACCOUNT)
    throw new InvalidArgumentError('Account 1 belongs to the owner and cannot be disabled.');
  await store.accounts.disable(account.id, now);
}

/** Enables a disabled account. The password and the API keys work again. */
export async function enableAccount(store: Store, id: string): Promise<void> {
  await store.accounts.enable((await findAccount(store, id)).id);
}

/** Deletes an account and all its data permanently. Its short codes are never used for other links. */
export async function deleteAccount(store: Store, id: string, now: number): Promise<void> {
  const { id: accountId } = await findAccount(store, id);
  if (accountId === FIRST_ACCOUNT)
    throw new InvalidArgumentError('Account 1 belongs to the owner and cannot be deleted.');
  await store.accounts.remove({ accountId, verified: null, now });
  await purgeDeletedAccounts(store, now);
}

export async function accountRows(store: Store): Promise<string[][]> {
  const accounts = await store.accounts.list();
  const rows = accounts.map((account) => [String(account.id), account.name, stateOf(account)]);
  return [['ID', 'NAME', 'CAN SIGN IN'], ...rows];
}

function stateOf({ hasHolder, disabledAt }: Account): string {
  if (disabledAt !== null) return 'disabled';
  return hasHolder ? 'yes' : 'invited';
}

async function findAccount(store: Store, id: string): Promise<Account> {
  const account = /^[1-9]\d{0,14}$/.test(id) ? await store.accounts.get(Number(id)) : null;
  if (!account) throw new InvalidArgumentError(`There is no account ${id}. List all accounts with "accounts list".`);
  return account;
}

async function invite({ store, random, baseUrl, now }: Inviter, accountId: number): Promise<string> {
  const { token, stored } = createInvitation(random, accountId, now);
  await store.accounts.invite(stored);
  return invitationLink(baseUrl, token);
}
