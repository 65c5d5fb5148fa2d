import { basename } from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import { makeOwnedFolder, type OwnedFolder } from '../files/owned-folder.ts';
import { StoreError } from '../store/store.ts';
import { journalFolder } from './folders.ts';

/**
 * Makes the folder of a new journal, readable by its owner alone.
 *
 * @returns null if the disk is full: redirects go on without a journal
 * @throws StoreError with a sentence for the operator
 */
export function makeJournal(directory: string, identity: string, journal: string): OwnedFolder | null {
  try {
    makeFolder(directory);
    return makeOwnedFolder(directory, basename(journalFolder(directory, identity, journal)));
  } catch (error) {
    if (['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw new StoreError(`The journal of clicks in ${directory} cannot be begun: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}
