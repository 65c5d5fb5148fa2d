import { existsSync } from 'node:fs';
import { lockFile } from '../files/file-lock.ts';
import { lockPath } from '../files/owned-folder.ts';
import type { ClickStore } from '../store/click-store.ts';
import { StoreError } from '../store/store.ts';
import { createClassifier } from './classify.ts';
import { type Counting, createCounting } from './counting.ts';
import { journalFolder, journalsIn } from './folders.ts';

/**
 * Counts every journal of a database that nobody serves any more, and removes it.
 *
 * @param onAside told of a file of clicks that cannot be read, and where it was put
 * @throws StoreError where somebody still writes one
 */
export async function countLeftJournals(
  clicks: ClickStore,
  directory: string,
  identity: string,
  onAside: (file: string) => void,
): Promise<void> {
  if (!existsSync(directory)) return;
  const classify = createClassifier();
  for (const journal of journalsIn(directory, identity)) {
    const folder = journalFolder(directory, identity, journal);
    const counting = () => createCounting({ clicks, classify, folder, journal, onRemoved: () => {}, onAside });
    if (!(await finishUnlessWritten(folder, counting))) {
      throw new StoreError(`A process that serves the database still writes clicks into ${folder}. Stop it first.`);
    }
  }
}

/** Counts a journal and removes it; false, and nothing done, where a live process holds its lock. */
export async function finishUnlessWritten(folder: string, counting: () => Counting): Promise<boolean> {
  const unlock = lockFile(lockPath(folder));
  if (!unlock) return false;
  try {
    await counting().finish();
    return true;
  } finally {
    unlock();
  }
}
