import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { lockFile, type Unlock } from '../store/sqlite/lock.ts';
import { StoreError } from '../store/store.ts';
import { journalFolder, lockPath } from './folders.ts';

/** The folder of this process's journal, which is locked as long as it lives. */
export interface OwnJournal {
  folder: string;
  unlock: Unlock;
}

/**
 * Makes the folder of a new journal, readable by its owner alone.
 *
 * @throws StoreError with a sentence for the operator
 */
export function makeJournal(directory: string, identity: string, journal: string): OwnJournal {
  const folder = journalFolder(directory, identity, journal);
  // Locked before it has its name, since whoever finds an unlocked journal takes it for a dead process's.
  const unnamed = join(directory, `.${journal}`);
  try {
    mkdirSync(unnamed, { recursive: true, mode: 0o700 });
    const unlock = lockFile(lockPath(unnamed));
    if (!unlock) throw new Error('its lock is taken');
    renameSync(unnamed, folder);
    return { folder, unlock };
  } catch (error) {
    throw new StoreError(`The journal of clicks in ${directory} cannot be begun: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}
