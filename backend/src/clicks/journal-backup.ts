import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync } from 'node:fs';
import { makeOwnedFolder, type OwnedFolder, removeAbandoned, removeOwnedFolder } from '../files/file-lock.ts';
import type { ClickStore } from '../store/interface/click-store.ts';
import { createClassifier } from './classify-click.ts';
import { createCounting } from './count-clicks-from-journal.ts';
import { journalFolder, journalsIn, LINK_PREFIX, segmentPath, segmentsIn } from './journal-files.ts';

/**
 * Hard links to files with clicks that are not counted yet. The links keep these clicks available while the database
 * is copied.
 */
export interface LinkedJournals {
  /** Counts the clicks that the copied database does not contain yet. */
  countInto(clicks: ClickStore): Promise<void>;
  release(): void;
}

/**
 * Creates hard links to all files with recorded clicks before the database is copied. If the running service counts
 * these clicks and deletes the files, the backup can still read them.
 *
 * @param directories directories with recorded clicks; a starting service may move clicks from one directory to the
 * next, and missing directories are skipped
 */
export function linkJournals(directories: readonly string[], identity: string): LinkedJournals {
  const holds = directories.filter((directory) => existsSync(directory)).map(makeHold);
  const hold = () => {
    for (const { directory, own } of holds) holdJournals(directory, own.folder, identity);
  };
  hold();
  return {
    async countInto(clicks) {
      // Adds hard links for files that were created while the database was copied.
      hold();
      const classify = createClassifier();
      for (const { own } of holds) {
        for (const journal of journalsIn(own.folder, identity)) {
          const folder = journalFolder(own.folder, identity, journal);
          // Keeps the stored progress of counting. Without it, a restored database could count the same clicks again.
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

/**
 * Ignores files that another process has just counted and deleted. Their clicks are either in the copy already or
 * newer than the copy.
 */
function unlessGone(hold: () => void): void {
  try {
    hold();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
