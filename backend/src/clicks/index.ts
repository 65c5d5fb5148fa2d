import type { Config } from '../config/config.ts';
import type { Clock } from '../domain/clock.ts';
import type { Random } from '../domain/random.ts';
import { removeLockedFolder } from '../files/owned-folder.ts';
import type { Log } from '../log/log.ts';
import { withoutLink } from '../store/sqlite/location.ts';
import type { Store } from '../store/store.ts';
import { repeat } from '../tasks/periodic.ts';
import { adoptJournals } from './adopt-journals.ts';
import { createCounter } from './counter.ts';
import { journalFolder, journalsIn } from './folders.ts';
import { createJournal } from './journal.ts';
import { removeDeadHolds } from './journal-snapshot.ts';
import { createLosses } from './losses.ts';
import { makeJournal } from './make-journal.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { createSalts } from './salts.ts';

/** Clicks, from the redirect to the store. */
export interface Clicks {
  recorder: Recorder;
  /** Counts every click answered so far, then resolves. */
  settle(): Promise<void>;
  /** Does what is due once a minute: fetches salts, forgets visitors, ends the segment, counts what others left. */
  tend(): Promise<void>;
  /** Counts what is left, then stops. */
  stop(): Promise<void>;
  stats(): ClickStats;
}

export interface ClickStats {
  /** Clicks that were answered but will not be counted, since the journal could not be written. */
  lost: number;
  /** Bytes on disk, counted or not yet. */
  journalBytes: number;
}

export interface ClicksServices {
  config: Pick<Config, 'database' | 'journalDirectory' | 'trustedProxies' | 'proxyHeader' | 'countryHeader'>;
  store: Pick<Store, 'clicks' | 'writeLock'>;
  clock: Clock;
  random: Random;
  log: Log;
}

const TEND_EVERY = 60_000;

/** @throws StoreError where the journal's directory cannot be used */
export async function startClicks({ config, store, clock, random, log }: ClicksServices): Promise<Clicks> {
  const id = (): string => Buffer.from(random(8)).toString('hex');
  const directory = journalDirectoryOf(config);
  const identity = await store.clicks.identity(id());
  const name = id();
  adoptJournals(config, directory, identity);
  const folder = journalFolder(directory, identity, name);
  let owned = makeJournal(directory, identity, name);
  if (!owned) log('error', 'the disk is full: clicks are lost until there is room');
  removeDeadHolds(directory);
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

  async function tend(): Promise<void> {
    journal.endSegment();
    losses.report();
    try {
      owned ??= makeJournal(directory, identity, name);
      await salts.refresh();
      if (journalsIn(directory, identity).some((other) => other !== name)) await counter.count();
    } catch (error) {
      log('error', 'clicks could not be tended', { error });
    }
  }

  await tend();
  const tending = repeat(TEND_EVERY, tend, 'later');

  return {
    recorder: {
      add: recorder.add,
      commit() {
        recorder.commit();
        counter.start();
      },
    },
    settle: counter.count,
    tend,
    async stop() {
      await tending.end();
      journal.close();
      losses.report();
      if (journal.size > 0) await counter.finish();
      else await counter.stop();
      // If something could not be counted, the files stay for the next process.
      if (journal.size === 0) removeLockedFolder(folder);
      owned?.unlock();
    },
    stats: () => ({ lost: losses.total(), journalBytes: journal.size }),
  };
}

/** Where clicks wait to be counted: beside the database, by whatever link it is opened, unless the operator says otherwise. */
export function journalDirectoryOf({
  database,
  journalDirectory,
}: Pick<Config, 'database' | 'journalDirectory'>): string {
  return journalDirectory ?? (database.engine === 'sqlite' ? `${withoutLink(database.path)}-clicks` : './data/clicks');
}
