import { StoreFull, StoreUnavailable } from '../interface/store.ts';

/** SQLite's result codes (https://www.sqlite.org/rescode.html); what extends one is in the higher bytes. */
const BUSY = 5;
const READONLY = 8;
const IOERR = 10;
const FULL = 13;
const CANTOPEN = 14;

/** What time or the operator can mend, and what asked for it cannot. */
const UNAVAILABLE = new Set([BUSY, READONLY, IOERR, FULL, CANTOPEN]);

/** Somebody else, here or in another process, holds the file. */
export function isLock(error: unknown): boolean {
  return codeOf(error) === BUSY;
}

/** The file cannot be written just now: it is locked, or its disk is full, broken or read-only. */
export function isUnavailable(error: unknown): boolean {
  return UNAVAILABLE.has(codeOf(error));
}

/** What to tell whoever asked for something that failed: what time can mend as such, all else as it is. */
export function reportedAs(error: unknown): unknown {
  if (!isUnavailable(error)) return error;
  return codeOf(error) === FULL ? new StoreFull(error) : new StoreUnavailable(error);
}

function codeOf(error: unknown): number {
  return ((error as { errcode?: number } | null)?.errcode ?? 0) & 0xff;
}
