import { constants } from 'node:os';
import { plainHost } from '@terse/contract';
import type { Config } from '../config/environment.ts';
import { systemRandom } from '../domain/clock-and-random.ts';
import { isLoopbackHost } from '../domain/links/link-rules.ts';
import { createLog } from '../log/log.ts';
import { startService } from '../server/start-service.ts';
import { nameOf, openStore } from '../store/open-store.ts';
import { claimDatabase } from '../store/sqlite/database-file.ts';
import { setupLink } from './manage.ts';

/**
 * Runs the service until it receives SIGTERM or SIGINT, then stops it cleanly. A second signal ends the process
 * immediately.
 *
 * @throws StoreError if a newer version has migrated the database; the service is stopped first
 */
export async function serve(config: Config, version: string): Promise<void> {
  // Listens for signals from the start, so that a signal also stops the service during startup.
  const stopSignal = waitForStopSignal();
  const clock = Date.now;
  const log = createLog(clock);
  const { database } = config;
  const unclaim = database.engine === 'sqlite' ? claimDatabase(database.path) : () => {};
  process.on('exit', unclaim);
  const store = await openStore(database, clock(), null, config.foldsCase);
  const outdated = Promise.withResolvers<Error>();
  const onOutdated = outdated.resolve;
  const service = await startService({ config, store, clock, random: systemRandom, log, version, onOutdated });
  // Prints the setup link to stdout instead of the log, because other people may be able to read the log.
  const inviter = { store, random: systemRandom, baseUrl: service.addresses.baseUrl, now: clock() };
  const link = await setupLink(inviter).catch((error) => {
    // The service starts even without a setup link, because redirects need no account. The operator can get the link
    // by restarting the service or by running "accounts setup".
    log('error', 'could not create the setup link', { error });
    return null;
  });
  if (link) {
    process.stdout.write(
      `This service is not set up yet. Open this link to set it up. It works once:\n\n  ${link}\n\n`,
    );
  }
  log('info', 'listening', { ...service.addresses, database: nameOf(database) });

  const { baseUrl } = service.addresses;
  if (baseUrl.startsWith('http:') && !isLoopbackHost(plainHost(new URL(baseUrl)))) {
    log('warn', 'TERSE_BASE_URL is not https, so keys and passwords are sent without encryption', { baseUrl });
  }

  const reason = await Promise.race([stopSignal, outdated.promise]);
  log('info', 'stopping', reason instanceof Error ? { error: reason } : { signal: reason });
  const isFinished = await service.stop();
  log('info', 'stopped');
  // Ends the process even if some work is unfinished. `setImmediate` delays the exit until the error thrown below has
  // been printed.
  if (!isFinished) setImmediate(() => process.exit());
  if (reason instanceof Error) throw reason;
}

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Resolves to the first stop signal. The second stop signal ends the process immediately. Both signals need a
 * handler, because the first process in a container ignores every signal that has no handler.
 */
function waitForStopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isStopping = false;
    for (const signal of STOP_SIGNALS) {
      process.on(signal, () => {
        if (isStopping) process.exit(128 + constants.signals[signal]);
        isStopping = true;
        resolve(signal);
      });
    }
  });
}
