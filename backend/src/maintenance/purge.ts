import { setImmediate as tick } from 'node:timers/promises';
import { INVITATION_LIFETIME_MS, SESSION_LIFETIME_MS } from '../domain/accounts/account-rules.ts';
import type { Clock } from '../domain/clock-and-random.ts';
import { CACHED_FOR_MS } from '../domain/limits/idempotency-key.ts';
import type { Log } from '../log/json-log.ts';
import type { Store } from '../store/interface/store.ts';

/** Rows cleared away in one transaction: few enough that redirects hardly wait. */
const PORTION = 200;

/** Clears away all that removed accounts owned. What is left by a stop is cleared by the next round. */
export async function purgeDeletedAccounts(
  { accounts }: Pick<Store, 'accounts'>,
  now: number,
  isStopping = () => false,
): Promise<void> {
  while (!isStopping() && (await accounts.clear(PORTION, now))) await tick();
}

/** Sessions removed in one transaction. */
const HOUSEKEEPING_PORTION = 500;

/** Removes what is past its time. Tried again with the next round: what cannot be removed now only takes room. */
export async function purge(store: Store, clock: Clock, log: Log, isStopping: () => boolean): Promise<void> {
  const now = clock();
  const rounds: Record<string, () => Promise<unknown>> = {
    'old answers': () => store.submissions.forget(now - CACHED_FOR_MS),
    'old sessions': async () => {
      const forgetSome = () =>
        store.sessions.forget(now - SESSION_LIFETIME_MS.idle, now - SESSION_LIFETIME_MS.absolute, HOUSEKEEPING_PORTION);
      while (!isStopping() && (await forgetSome()) === HOUSEKEEPING_PORTION);
    },
    'old changes of links': () => store.links.forgetChanges(),
    'removed accounts': () => purgeDeletedAccounts(store, now, isStopping),
    'invitations and accounts that nobody took up': () => store.accounts.forget(now, now - INVITATION_LIFETIME_MS),
  };
  for (const [what, remove] of Object.entries(rounds)) {
    if (isStopping()) return;
    await remove().catch((error) => log('error', `${what} were not cleared away`, { error }));
  }
}
