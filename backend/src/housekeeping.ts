import { INVITATION_LIFE, SESSION_LIFE } from './domain/accounts.ts';
import type { Clock } from './domain/clock.ts';
import { KEPT_FOR } from './domain/idempotency.ts';
import type { Log } from './log.ts';
import type { Store } from './store/store.ts';

/** Removes what is past its time. Tried again with the next round: what cannot be removed now only takes room. */
export async function keepHouse(store: Store, clock: Clock, log: Log): Promise<void> {
  const now = clock();
  const rounds = {
    answers: () => store.submissions.forget(now - KEPT_FOR),
    sessions: () => store.sessions.forget(now - SESSION_LIFE.idle, now - SESSION_LIFE.absolute),
    'invitations and accounts': () => store.accounts.forget(now, now - INVITATION_LIFE),
  };
  for (const [what, remove] of Object.entries(rounds)) {
    await remove().catch((error) => log('error', `old ${what} were not removed`, { error }));
  }
}
