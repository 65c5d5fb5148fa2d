import { setImmediate as tick } from 'node:timers/promises';
import { INVITATION_LIFETIME_MS, SESSION_LIFETIME_MS } from '../domain/accounts/account-rules.ts';
import type { Clock } from '../domain/clock-and-random.ts';
import { CACHED_FOR_MS } from '../domain/limits/idempotency-key.ts';
import type { Log } from '../log/json-log.ts';
import type { Store } from '../store/interface/store.ts';

/** Maximum number of rows deleted in one transaction. Small, so that redirects hardly wait. */
const ROWS_PER_TRANSACTION = 200;

/** Deletes the data of removed accounts. After a stop, the next run continues. */
export async function purgeDeletedAccounts(
  { accounts }: Pick<Store, 'accounts'>,
  now: number,
  isStopping = () => false,
): Promise<void> {
  while (!isStopping() && (await accounts.clear(ROWS_PER_TRANSACTION, now))) await tick();
}

/** Maximum number of sessions deleted in one transaction. */
const SESSIONS_PER_TRANSACTION = 500;

/** Deletes expired data. A failed step is logged and retried in the next run. */
export async function purge(store: Store, clock: Clock, log: Log, isStopping: () => boolean): Promise<void> {
  const now = clock();
  const rounds: Record<string, () => Promise<unknown>> = {
    'expired cached responses': () => store.submissions.forget(now - CACHED_FOR_MS),
    'expired sessions': async () => {
      const forgetSome = () =>
        store.sessions.forget(
          now - SESSION_LIFETIME_MS.idle,
          now - SESSION_LIFETIME_MS.absolute,
          SESSIONS_PER_TRANSACTION,
        );
      while (!isStopping() && (await forgetSome()) === SESSIONS_PER_TRANSACTION);
    },
    'old changes of links': () => store.links.forgetChanges(),
    'removed accounts': () => purgeDeletedAccounts(store, now, isStopping),
    'expired invitations and unused accounts': () => store.accounts.forget(now, now - INVITATION_LIFETIME_MS),
  };
  for (const [what, remove] of Object.entries(rounds)) {
    if (isStopping()) return;
    await remove().catch((error) => log('error', `${what} were not deleted`, { error }));
  }
}
