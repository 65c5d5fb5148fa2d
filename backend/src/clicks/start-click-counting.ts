import type { Config } from '../config/environment.ts';
import type { Clock, Random } from '../domain/clock-and-random.ts';
import { removeLockedFolder } from '../files/file-lock.ts';
import type { Log } from '../log/json-log.ts';
import { runPeriodically } from '../maintenance/run-periodically.ts';
import type { Store } from '../store/interface/store.ts';
import { withoutLink } from '../store/sqlite/database-file.ts';
import { createCounter } from './counting-thread-client.ts';
import { removeAbandonedLinks } from './journal-backup.ts';
import { adoptAbandonedJournals, createJournalFolder, journalFolder, journalsIn } from './journal-files.ts';
import { createJournal, createLosses } from './journal-writer.ts';
import { createRecorder, type Recorder } from './record-click.ts';
import { createSalts } from './visitor-hash.ts';

export interface Clicks {
  recorder: Recorder;
  /** Resolves when all clicks recorded so far have been counted. */
  settle(): Promise<void>;
  /**
   * Runs the maintenance that is due once per minute: updates the salts for visitor hashes, deletes old visitor
   * hashes, starts a new file for clicks, and counts clicks left behind by other processes.
   */
  runMaintenance(): Promise<void>;
  stop(): Promise<void>;
  stats(): ClickStats;
}

export interface ClickStats {
  /** Number of clicks that could not be recorded. The visitors were redirected, but these clicks are never counted. */
  lost: number;
  /** Total size of the files with recorded clicks, in bytes. Includes counted files that are not deleted yet. */
  journalBytes: number;
}

export interface ClicksServices {
  config: Pick<Config, 'database' | 'journalDirectory' | 'trustedProxies' | 'proxyHeader' | 'countryHeader'>;
  store: Pick<Store, 'clicks' | 'writeLock'>;
  clock: Clock;
  random: Random;
  log: Log;
}

const MAINTENANCE_INTERVAL_MS = 60_000;

/** @throws StoreError if the directory for recorded clicks cannot be used */
export async function startClickCounting({ config, store, clock, random, log }: ClicksServices): Promise<Clicks> {
  const id = (): string => Buffer.from(random(8)).toString('hex');
  const directory = journalDirectoryOf(config);
  const identity = await store.clicks.identity(id());
  const name = id();
  adoptAbandonedJournals(config, directory, identity);
  const folder = journalFolder(directory, identity, name);
  let owned = createJournalFolder(directory, identity, name);
  if (!owned) log('error', 'the disk is full: clicks are lost until you free up space');
  removeAbandonedLinks(directory);
  const losses = createLosses(log);
  const journal = createJournal({ folder, onLost: losses.add });
  const salts = createSalts(store.clicks, clock, random);
  const counter = createCounter({
    data: { database: config.database, directory, identity, journal: name, needsLock: store.writeLock !== null },
    writeLock: store.writeLock,
    log,
    onRemoved: journal.removed,
  });
  const recorder = createRecorder({ ...config, journal, salts, clock });

  async function runMaintenance(): Promise<void> {
    journal.endSegment();
    losses.report();
    try {
      owned ??= createJournalFolder(directory, identity, name);
      await salts.refresh();
      if (journalsIn(directory, identity).some((other) => other !== name)) await counter.count();
    } catch (error) {
      log('error', 'click maintenance failed and is retried within a minute', { error });
    }
  }

  await runMaintenance();
  const maintenance = runPeriodically(MAINTENANCE_INTERVAL_MS, runMaintenance, 'later');

  return {
    recorder: {
      add: recorder.add,
      commit() {
        recorder.commit();
        counter.start();
      },
    },
    settle: counter.count,
    runMaintenance,
    async stop() {
      await maintenance.end();
      journal.close();
      losses.report();
      if (journal.size > 0) await counter.finish();
      else await counter.stop();
      // Keeps the files if some clicks are not counted. The next process counts these clicks.
      if (journal.size === 0) removeLockedFolder(folder);
      owned?.unlock();
    },
    stats: () => ({ lost: losses.total(), journalBytes: journal.size }),
  };
}

/**
 * Returns the directory for recorded clicks. The default directory is next to the SQLite database. If the database
 * path is a symbolic link, the directory is next to the target of the link.
 */
export function journalDirectoryOf({
  database,
  journalDirectory,
}: Pick<Config, 'database' | 'journalDirectory'>): string {
  return journalDirectory ?? (database.engine === 'sqlite' ? `${withoutLink(database.path)}-clicks` : './data/clicks');
}
