import type { LendableWriteLock } from '../write-lock.ts';

/** Chooses how the file is read next, by how many look-ups are about to be made. */
export type ChooseMapping = (lookUps: number) => void;

export interface MappingOptions {
  /** Runs statements on the connection that looks links up. */
  exec(sql: string): void;
  writeLock: Pick<LendableWriteLock, 'lent'>;
  /** Look-ups without a write by another connection after which the file is mapped again. */
  enough?: number;
}

/**
 * How many bytes of the file are read in the system's page cache instead of being copied from it. That memory is the
 * system's, which takes it back when it needs it, though it shows in the process's resident size. This is the most that
 * SQLite allows.
 */
export const MAPPED = 0x7fff0000;

/** Among ten million links mapping the file anew has paid after about so many look-ups: each page costs a fault. */
const ENOUGH = 200_000;

/**
 * Copied pages are kept here, which cannot hold a link that is asked for at random, but the upper pages of the trees that
 * lead to it. In KB, for `cache_size`. Where the file is mapped, the room is for pages that were written.
 */
const CACHE = { mapped: 16_000, copied: 4000 };

/** As the connection begins, too. */
export const READ_MAPPED = `PRAGMA mmap_size = ${MAPPED}; PRAGMA cache_size = -${CACHE.mapped}`;
const READ_COPIED = `PRAGMA mmap_size = 0; PRAGMA cache_size = -${CACHE.copied}`;

/**
 * Has the file of a connection mapped only while no other connection writes. SQLite drops the whole mapping at the first
 * read after somebody else's commit, and each page must then be mapped again: many times what copying it costs. The
 * thread that counts clicks commits up to hundreds of times a second.
 */
export function createMapping({ exec, writeLock, enough = ENOUGH }: MappingOptions): ChooseMapping {
  let isMapped = true;
  let { lent } = writeLock;
  let quiet = 0;

  return (lookUps) => {
    if (writeLock.lent !== lent) {
      lent = writeLock.lent;
      quiet = 0;
      if (isMapped) exec(READ_COPIED);
      isMapped = false;
      return;
    }
    if (isMapped) return;
    quiet += lookUps;
    if (quiet < enough) return;
    exec(READ_MAPPED);
    isMapped = true;
  };
}
