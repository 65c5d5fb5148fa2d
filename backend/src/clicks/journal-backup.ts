import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync } from 'node:fs';
import { makeOwnedFolder, type OwnedFolder, removeAbandoned, removeOwnedFolder } from '../files/file-lock.ts';
import type { ClickStore } from '../store/interface/click-store.ts';
import { createClassifier } from './classify-click.ts';
import { createCounting } from './count-clicks-from-journal.ts';
import { journalFolder, journalsIn, LINK_PREFIX, segmentPath, segmentsIn } from './journal-files.ts';

/**
 * Hard links to the files that contain uncounted clicks. If the service deletes such a file during the backup, the
 * backup can still read it.
 */
export interface LinkedJournals {
  /** Counts the clicks that the copied database does not contain yet. */
  countInto(clicks: ClickStore): Promise<void>;
  release(): void;
}

/**
 * Creates hard links to all files with recorded clicks before the database is copied. If the running service counts
 * these clicks and deletes the files, the backup can still read the clicks.
 *
 * @param directories directories with recorded clicks; missing directories are skipped. The directory of an earlier
 * version must come first, because the service may move clicks out of it during the backup.
 */
export function linkJournals(directories: readonly string[], identity: string): LinkedJournals {
  const linkFolders = directories.filter((directory) => existsSync(directory)).map(createLinkFolder);
  const createLinks = () => {
    for (const { directory, own } of linkFolders) linkJournalFiles(directory, own.folder, identity);
  };
  createLinks();
  return {
    async countInto(clicks) {
      // Adds hard links for files that were created while the database was copied.
      createLinks();
      const classify = createClassifier();
      for (const { own } of linkFolders) {
        for (const journal of journalsIn(own.folder, identity)) {
          const folder = journalFolder(own.folder, identity, journal);
          // The method `count` leaves the progress of counting in the database. Without this progress, a restored
          // database could count the same clicks twice.
          await createCounting({
            clicks,
            classify,
            folder,
            journal,
            onRemoved: () => {},
            onUnreadable: () => {},
          }).count();
        }
      }
    },
    release() {
      for (const { own } of linkFolders) removeOwnedFolder(own);
    },
  };
}

function createLinkFolder(directory: string): { directory: string; own: OwnedFolder } {
  removeAbandonedLinks(directory);
  return { directory, own: makeOwnedFolder(directory, LINK_PREFIX + randomBytes(6).toString('hex')) };
}

function linkJournalFiles(directory: string, linkFolder: string, identity: string): void {
  for (const journal of journalsIn(directory, identity)) {
    const folder = journalFolder(linkFolder, identity, journal);
    mkdirSync(folder, { recursive: true });
    linkSegments(journalFolder(directory, identity, journal), folder);
  }
}

export function removeAbandonedLinks(directory: string): void {
  removeAbandoned(directory, LINK_PREFIX);
}

function linkSegments(from: string, to: string): void {
  const known = new Set(segmentsIn(to));
  ignoreDeleted(() => {
    for (const number of segmentsIn(from)) {
      if (!known.has(number)) ignoreDeleted(() => linkSync(segmentPath(from, number), segmentPath(to, number)));
    }
  });
}

/**
 * Ignores errors about missing files, which were deleted because their clicks had been counted. These clicks are
 * already in the copied database or are newer than the copy.
 */
function ignoreDeleted(createLinks: () => void): void {
  try {
    createLinks();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
