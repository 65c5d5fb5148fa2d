import {
  accountNameProblem,
  createInvitation,
  invitationLink,
  normalizeName,
} from '../domain/accounts/account-rules.ts';
import type { Random } from '../domain/clock-and-random.ts';
import { purgeDeletedAccounts } from '../maintenance/purge.ts';
import type { Account } from '../store/interface/account-store.ts';
import { FIRST_ACCOUNT, type Store } from '../store/interface/store.ts';
import { UsageError } from './cli.ts';

/** What invitations are made with. */
export interface Inviter {
  store: Store;
  random: Random;
  /** What the public calls the service, to which invitations lead. */
  baseUrl: string;
  now: number;
}

/** A link that sets the first account up; null where somebody has it already. Links made before it stay good. */
export async function setupLink(inviter: Inviter): Promise<string | null> {
  const accounts = await inviter.store.accounts.list();
  return accounts.some(({ hasHolder }) => hasHolder) ? null : invite(inviter, FIRST_ACCOUNT);
}

/** Makes an account and returns the link by which its holder takes it over. */
export async function createAccount(inviter: Inviter, text: string): Promise<string> {
  const name = normalizeName(text);
  const problem = accountNameProblem(name);
  if (problem) throw new UsageError(problem);
  const { id } = await inviter.store.accounts.create(name, inviter.now);
  return invite(inviter, id);
}

/** A link by which the holder of an account chooses a new password. The old one holds until then. */
export async function resetAccount(inviter: Inviter, id: string): Promise<string> {
  const account = await named(inviter.store, id);
  if (account.disabledAt !== null)
    throw new UsageError(`Account ${id} is disabled. "accounts enable" lets it in again.`);
  return invite(inviter, account.id);
}

/** Shuts an account out: it can sign in no more, and its keys open nothing. Its links go on. */
export async function disableAccount(store: Store, id: string, now: number): Promise<void> {
  const account = await named(store, id);
  if (account.id === FIRST_ACCOUNT) throw new UsageError("Account 1 is the owner's, which cannot be disabled.");
  await store.accounts.disable(account.id, now);
}

/** Lets a disabled account in again, with the password and the keys it had. */
export async function enableAccount(store: Store, id: string): Promise<void> {
  await store.accounts.enable((await named(store, id)).id);
}

/** Removes an account and all it owns, for ever. Its short codes are retired. */
export async function deleteAccount(store: Store, id: string, now: number): Promise<void> {
  const { id: accountId } = await named(store, id);
  if (accountId === FIRST_ACCOUNT) throw new UsageError("Account 1 is the owner's, which cannot be deleted.");
  await store.accounts.remove({ accountId, verified: null, now });
  await purgeDeletedAccounts(store, now);
}

/** Every account as rows of a table, its head first. */
export async function accountRows(store: Store): Promise<string[][]> {
  const accounts = await store.accounts.list();
  const rows = accounts.map((account) => [String(account.id), account.name, stateOf(account)]);
  return [['ID', 'NAME', 'CAN SIGN IN'], ...rows];
}

function stateOf({ hasHolder, disabledAt }: Account): string {
  if (disabledAt !== null) return 'disabled';
  return hasHolder ? 'yes' : 'invited';
}

async function named(store: Store, id: string): Promise<Account> {
  const account = /^[1-9]\d{0,14}$/.test(id) ? await store.accounts.get(Number(id)) : null;
  if (!account) throw new UsageError(`There is no account ${id}. "accounts list" shows them all.`);
  return account;
}

async function invite({ store, random, baseUrl, now }: Inviter, accountId: number): Promise<string> {
  const { token, stored } = createInvitation(random, accountId, now);
  await store.accounts.invite(stored);
  return invitationLink(baseUrl, token);
}
