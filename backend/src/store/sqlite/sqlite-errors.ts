import { StoreFull, StoreUnavailable } from '../store-errors.ts';

/**
 * Primary result codes of SQLite (https://www.sqlite.org/rescode.html). The lowest byte of an extended result code is
 * its primary code.
 */
const BUSY = 5;
const READONLY = 8;
const IOERR = 10;
const FULL = 13;
const CANTOPEN = 14;

/** Errors that a retry may resolve or that the operator can fix. */
const UNAVAILABLE = new Set([BUSY, READONLY, IOERR, FULL, CANTOPEN]);

export function isLock(error: unknown): boolean {
  return codeOf(error) === BUSY;
}

/**
 * True if the file is temporarily not writable because it is locked, or because the disk is full, broken or
 * read-only.
 */
export function isUnavailable(error: unknown): boolean {
  return UNAVAILABLE.has(codeOf(error));
}

/** Converts a temporary error to StoreUnavailable. Any other error is returned unchanged. */
export function reportedAs(error: unknown): unknown {
  if (!isUnavailable(error)) return error;
  return codeOf(error) === FULL ? new StoreFull(error) : new StoreUnavailable(error);
}

function codeOf(error: unknown): number {
  return ((error as { errcode?: number } | null)?.errcode ?? 0) & 0xff;
}
