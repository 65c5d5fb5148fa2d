import { INVITATION_LIFE, SESSION_LIFE } from '../domain/accounts.ts';
import type { Clock } from '../domain/clock.ts';
import { KEPT_FOR } from '../domain/idempotency.ts';
import type { Log } from '../log/log.ts';
import { clearRemoved } from '../store/clear-removed.ts';
import type { Store } from '../store/store.ts';

/** Sessions removed in one transaction. */
const PORTION = 500;

/** Removes what is past its time. Tried again with the next round: what cannot be removed now only takes room. */
export async function keepHouse(store: Store, clock: Clock, log: Log, isStopping: () => boolean): Promise<void> {
  const now = clock();
  const rounds: Record<string, () => Promise<unknown>> = {
    'old answers': () => store.submissions.forget(now - KEPT_FOR),
    'old sessions': async () => {
      const forgetSome = () => store.sessions.forget(now - SESSION_LIFE.idle, now - SESSION_LIFE.absolute, PORTION);
      while (!isStopping() && (await forgetSome()) === PORTION);
    },
    'old changes of links': () => store.links.forgetChanges(),
    'removed accounts': () => clearRemoved(store, now, isStopping),
    'invitations and accounts that nobody took up': () => store.accounts.forget(now, now - INVITATION_LIFE),
  };
  for (const [what, remove] of Object.entries(rounds)) {
    if (isStopping()) return;
    await remove().catch((error) => log('error', `${what} were not cleared away`, { error }));
  }
}
