import { nameProblem, plainName } from '../domain/accounts.ts';
import { invitationLink, mintInvitation } from '../domain/invitations.ts';
import type { Random } from '../domain/random.ts';
import { FIRST_ACCOUNT, type Store } from '../store/store.ts';
import { UsageError } from './usage-error.ts';

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
  const name = plainName(text);
  const problem = nameProblem(name);
  if (problem) throw new UsageError(problem);
  const { id } = await inviter.store.accounts.create(name, inviter.now);
  return invite(inviter, id);
}

/** A link by which the holder of an account chooses a new password. The old one holds until then. */
export async function resetAccount(inviter: Inviter, id: string): Promise<string> {
  const account = /^[1-9]\d{0,14}$/.test(id) ? await inviter.store.accounts.get(Number(id)) : null;
  if (!account) throw new UsageError(`There is no account ${id}. "accounts list" shows them all.`);
  return invite(inviter, account.id);
}

/** Every account as rows of a table, its head first. */
export async function accountRows(store: Store): Promise<string[][]> {
  const accounts = await store.accounts.list();
  const rows = accounts.map(({ id, name, hasHolder }) => [String(id), name, hasHolder ? 'yes' : 'invited']);
  return [['ID', 'NAME', 'CAN SIGN IN'], ...rows];
}

async function invite({ store, random, baseUrl, now }: Inviter, accountId: number): Promise<string> {
  const { token, stored } = mintInvitation(random, accountId, now);
  await store.accounts.invite(stored);
  return invitationLink(baseUrl, token);
}
