import { setImmediate as tick } from 'node:timers/promises';
import { INVITATION_LIFETIME_MS, SESSION_LIFETIME_MS } from '../domain/accounts/names-invitations-sessions.ts';
import type { Clock } from '../domain/clock-and-random.ts';
import { CACHED_FOR_MS } from '../domain/limits/create-requests.ts';
import type { Log } from '../log/json-log.ts';
import type { Store } from '../store/open-store.ts';

/** Maximum number of rows per transaction. The number is small, so that redirects do not have to wait. */
const ACCOUNT_ROWS_PER_ROUND = 200;

/** Deletes the data of deleted accounts. If the process stops before all data is deleted, the next run continues. */
export async function purgeDeletedAccounts(
  { accounts }: Pick<Store, 'accounts'>,
  now: number,
  isStopping = () => false,
): Promise<void> {
  while (!isStopping() && (await accounts.clear(ACCOUNT_ROWS_PER_ROUND, now))) await tick();
}

/** Time for which an uploaded file is stored, in milliseconds. */
export const UPLOAD_LIFETIME_MS = 3_600_000;

const SESSIONS_PER_ROUND = 500;

/** Deletes expired data. If this fails, the error is logged and the next run tries again. */
export async function purge(store: Store, clock: Clock, log: Log, isStopping: () => boolean): Promise<void> {
  const now = clock();
  const tasks: Record<string, () => Promise<unknown>> = {
    'cached responses': () => store.createRequests.forget(now - CACHED_FOR_MS),
    'expired sessions': async () => {
      const deleteSome = () =>
        store.sessions.forget(now - SESSION_LIFETIME_MS.idle, now - SESSION_LIFETIME_MS.absolute, SESSIONS_PER_ROUND);
      while (!isStopping() && (await deleteSome()) === SESSIONS_PER_ROUND);
    },
    'old uploads': () => store.uploads.forget(now - UPLOAD_LIFETIME_MS),
    'old link changes': () => store.links.forgetChanges(),
    'deleted accounts': () => purgeDeletedAccounts(store, now, isStopping),
    'expired invitations': () => store.accounts.forget(now, now - INVITATION_LIFETIME_MS),
  };
  for (const [name, task] of Object.entries(tasks)) {
    if (isStopping()) return;
    await task().catch((error) => log('error', `could not delete ${name}`, { error }));
  }
}
