import { constants } from 'node:os';
import { plainHost } from '@terse/contract';
import type { Config } from '../config/environment.ts';
import { systemRandom } from '../domain/clock-and-random.ts';
import { isLoopbackHost } from '../domain/links/target-url.ts';
import { batchLines, createLog } from '../log/json-log.ts';
import { startService } from '../server/start-service.ts';
import { nameOf } from '../store/existing-database.ts';
import { openStore } from '../store/open-store.ts';
import { claimDatabase } from '../store/sqlite/database-file.ts';
import { setupLink } from './account-commands.ts';

const STOPS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Resolves to the signal that asks for a stop; the next one ends the process at once. Both are said in so many words:
 * the first process of a container is given no signal that it does not handle.
 */
export function stopAsked(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of STOPS) {
      process.on(signal, () => {
        if (asked) process.exit(128 + constants.signals[signal]);
        asked = true;
        resolve(signal);
      });
    }
  });
}

/**
 * Serves until SIGTERM or SIGINT, then stops cleanly. A second signal ends it at once.
 *
 * @throws StoreError once it has stopped since the database has become too new for it
 */
export async function serve(config: Config, version: string): Promise<void> {
  // From the first moment, so that what is asked for while it starts is heard.
  const stop = stopAsked();
  let reload = (): void => {};
  // In a terminal, where there is no list to read again, it means that the terminal was closed.
  if (config.blockedHostsFile !== null || !process.stdin.isTTY) process.on('SIGHUP', () => reload());
  const clock = Date.now;
  const lines = batchLines((text) => process.stderr.write(text));
  const log = createLog(lines.add, clock);
  process.on('exit', lines.flush);
  const { database } = config;
  const unclaim = database.engine === 'sqlite' ? claimDatabase(database.path, clock()) : () => {};
  process.on('exit', unclaim);
  const store = await openStore(database, clock());
  const outdated = Promise.withResolvers<Error>();
  const onOutdated = outdated.resolve;
  const service = await startService({ config, store, clock, random: systemRandom, log, version, onOutdated }).catch(
    async (error) => {
      await store.close();
      throw error;
    },
  );
  reload = service.reload;
  // On stdout, apart from the log, which may be kept where others read it.
  const inviter = { store, random: systemRandom, baseUrl: service.addresses.baseUrl, now: clock() };
  const setup = await setupLink(inviter).catch((error) => {
    // Redirects need no account. The link is printed by the next start, or by "accounts setup".
    log('error', 'no setup link could be made', { error });
    return null;
  });
  if (setup)
    process.stdout.write(
      `Nobody has set up this service yet. Open this link to do so; it works once:\n\n  ${setup}\n\n`,
    );
  log('info', 'listening', { ...service.addresses, database: nameOf(database) });

  const { baseUrl } = service.addresses;
  if (baseUrl.startsWith('http:') && !isLoopbackHost(plainHost(new URL(baseUrl)))) {
    log('warn', 'TERSE_BASE_URL is not https: keys and passwords travel readable', { baseUrl });
  }

  const reason = await Promise.race([stop, outdated.promise]);
  log('info', 'stopping', reason instanceof Error ? { error: reason } : { signal: reason });
  const isFinished = await service.stop();
  log('info', 'stopped');
  // Once what is said below was said.
  if (!isFinished) setImmediate(() => process.exit());
  if (reason instanceof Error) throw reason;
}
