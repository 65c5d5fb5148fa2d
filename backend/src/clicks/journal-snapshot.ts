import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync } from 'node:fs';
import { makeOwnedFolder, removeAbandoned, removeOwnedFolder } from '../files/owned-folder.ts';
import type { ClickStore } from '../store/click-store.ts';
import { createClassifier } from './classify.ts';
import { createCounting } from './counting.ts';
import { HOLD, journalFolder, journalsIn, segmentPath, segmentsIn } from './folders.ts';

/** Clicks that wait to be counted, held while a copy of their database is made. */
export interface HeldClicks {
  /** Counts into the copy what its original had not counted yet. */
  countInto(clicks: ClickStore): Promise<void>;
  release(): void;
}

/**
 * Holds every journal of a database before the copy is made, by a second name for each segment: one that is counted and
 * removed meanwhile is still there, and one that grows does so under both names. The copy itself says how far it was
 * counted. Whoever finishes a journal meanwhile sees the hold, and keeps its progress in the store for the copy.
 *
 * @param directory where the journals are; nothing is held where it does not exist
 */
export function holdClicks(directory: string, identity: string): HeldClicks {
  if (!existsSync(directory)) return { countInto: async () => {}, release: () => {} };
  removeDeadHolds(directory);
  const own = makeOwnedFolder(directory, HOLD + randomBytes(6).toString('hex'));
  const held = own.folder;
  const hold = () => {
    for (const journal of journalsIn(directory, identity)) {
      const folder = journalFolder(held, identity, journal);
      mkdirSync(folder, { recursive: true });
      holdSegments(journalFolder(directory, identity, journal), folder);
    }
  };
  hold();
  return {
    async countInto(clicks) {
      // Segments that began since, as far as they are still there.
      hold();
      const classify = createClassifier();
      for (const journal of journalsIn(held, identity)) {
        const folder = journalFolder(held, identity, journal);
        // Not finished: if the copy is restored beside this journal one day, it must know how much of it was counted.
        await createCounting({ clicks, classify, folder, journal, onRemoved: () => {}, onAside: () => {} }).count();
      }
    },
    release: () => removeOwnedFolder(own),
  };
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
