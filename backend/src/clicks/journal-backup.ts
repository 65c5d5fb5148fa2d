import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync } from 'node:fs';
import { makeOwnedFolder, type OwnedFolder, removeAbandoned, removeOwnedFolder } from '../files/file-lock.ts';
import type { ClickStore } from '../store/interface/click-store.ts';
import { createClassifier } from './classify-click.ts';
import { createCounting } from './count-clicks-from-journal.ts';
import { HOLD, journalFolder, journalsIn, segmentPath, segmentsIn } from './journal-files.ts';

/** Clicks that wait to be counted, held while a copy of their database is made. */
export interface LinkedJournals {
  /** Counts into the copy what its original had not counted yet. */
  countInto(clicks: ClickStore): Promise<void>;
  release(): void;
}

/**
 * Holds every journal of a database before the copy is made, by a second name for each segment: one that is counted and
 * removed meanwhile is still there, and one that grows does so under both names. The copy itself says how far it was
 * counted. Whoever finishes a journal meanwhile sees the hold, and keeps its progress in the store for the copy.
 *
 * @param directories where the journals are, each before one that its journals may be moved into meanwhile; nothing is held where
 * one does not exist
 */
export function linkJournals(directories: readonly string[], identity: string): LinkedJournals {
  const holds = directories.filter((directory) => existsSync(directory)).map(makeHold);
  const hold = () => {
    for (const { directory, own } of holds) holdJournals(directory, own.folder, identity);
  };
  hold();
  return {
    async countInto(clicks) {
      // Segments that began since, as far as they are still there.
      hold();
      const classify = createClassifier();
      for (const { own } of holds) {
        for (const journal of journalsIn(own.folder, identity)) {
          const folder = journalFolder(own.folder, identity, journal);
          // Not finished: if the copy is restored beside this journal one day, it must know how much of it was counted.
          await createCounting({ clicks, classify, folder, journal, onRemoved: () => {}, onAside: () => {} }).count();
        }
      }
    },
    release() {
      for (const { own } of holds) removeOwnedFolder(own);
    },
  };
}

function makeHold(directory: string): { directory: string; own: OwnedFolder } {
  removeDeadHolds(directory);
  return { directory, own: makeOwnedFolder(directory, HOLD + randomBytes(6).toString('hex')) };
}

function holdJournals(directory: string, held: string, identity: string): void {
  for (const journal of journalsIn(directory, identity)) {
    const folder = journalFolder(held, identity, journal);
    mkdirSync(folder, { recursive: true });
    holdSegments(journalFolder(directory, identity, journal), folder);
  }
}

/** Removes what killed backups left behind. */
export function removeDeadHolds(directory: string): void {
  removeAbandoned(directory, HOLD);
}

function holdSegments(from: string, to: string): void {
  const known = new Set(segmentsIn(to));
  unlessGone(() => {
    for (const number of segmentsIn(from)) {
      if (!known.has(number)) unlessGone(() => linkSync(segmentPath(from, number), segmentPath(to, number)));
    }
  });
}

/** A segment that is counted and removed at this very moment is in the copy, or came after it. */
function unlessGone(hold: () => void): void {
  try {
    hold();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
