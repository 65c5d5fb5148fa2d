import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync } from 'node:fs';
import { makeOwnedFolder, type OwnedFolder, removeAbandoned, removeOwnedFolder } from '../files/file-lock.ts';
import type { ClickStore } from '../store/interface/click-store.ts';
import { createClassifier } from './classify-click.ts';
import { createCounting } from './count-clicks-from-journal.ts';
import { journalFolder, journalsIn, LINK_PREFIX, segmentPath, segmentsIn } from './journal-files.ts';

/** Links to journals that keep uncounted clicks available while their database is copied. */
export interface LinkedJournals {
  /** Counts into the copy what was not yet counted in the original. */
  countInto(clicks: ClickStore): Promise<void>;
  release(): void;
}

/**
 * Creates a hard link to each segment of each journal before the copy is made. A segment that is counted and removed
 * meanwhile remains available, and one that grows does so under both names. The copy contains its own progress. A
 * process that finishes a journal sees the links and keeps its progress in the store.
 *
 * @param directories journal directories, each before a directory that its journals may be moved into meanwhile;
 * missing directories are skipped
 */
export function linkJournals(directories: readonly string[], identity: string): LinkedJournals {
  const holds = directories.filter((directory) => existsSync(directory)).map(makeHold);
  const hold = () => {
    for (const { directory, own } of holds) holdJournals(directory, own.folder, identity);
  };
  hold();
  return {
    async countInto(clicks) {
      // Segments that were started since then, if they still exist.
      hold();
      const classify = createClassifier();
      for (const { own } of holds) {
        for (const journal of journalsIn(own.folder, identity)) {
          const folder = journalFolder(own.folder, identity, journal);
          // The progress is kept, because the copy may be restored beside this journal.
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
  removeAbandonedLinks(directory);
  return { directory, own: makeOwnedFolder(directory, LINK_PREFIX + randomBytes(6).toString('hex')) };
}

function holdJournals(directory: string, held: string, identity: string): void {
  for (const journal of journalsIn(directory, identity)) {
    const folder = journalFolder(held, identity, journal);
    mkdirSync(folder, { recursive: true });
    holdSegments(journalFolder(directory, identity, journal), folder);
  }
}

/** Removes the hard links that interrupted backups have left. */
export function removeAbandonedLinks(directory: string): void {
  removeAbandoned(directory, LINK_PREFIX);
}

function holdSegments(from: string, to: string): void {
  const known = new Set(segmentsIn(to));
  unlessGone(() => {
    for (const number of segmentsIn(from)) {
      if (!known.has(number)) unlessGone(() => linkSync(segmentPath(from, number), segmentPath(to, number)));
    }
  });
}

/** A segment that is counted and removed at this moment is already in the copy, or is newer than it. */
function unlessGone(hold: () => void): void {
  try {
    hold();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
