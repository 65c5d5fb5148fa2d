import { StoreFull, StoreUnavailable } from '../interface/store.ts';

/** SQLite's primary result codes (https://www.sqlite.org/rescode.html). Extended codes use the higher bytes. */
const BUSY = 5;
const READONLY = 8;
const IOERR = 10;
const FULL = 13;
const CANTOPEN = 14;

/** Errors that a retry or the operator can fix. */
const UNAVAILABLE = new Set([BUSY, READONLY, IOERR, FULL, CANTOPEN]);

/** True if another connection has locked the file. */
export function isLock(error: unknown): boolean {
  return codeOf(error) === BUSY;
}

/** True if the file cannot be written now: it is locked, or the disk is full, broken or read-only. */
export function isUnavailable(error: unknown): boolean {
  return UNAVAILABLE.has(codeOf(error));
}

/** Returns the error for the caller: StoreUnavailable for a temporary error, any other error unchanged. */
export function reportedAs(error: unknown): unknown {
  if (!isUnavailable(error)) return error;
  return codeOf(error) === FULL ? new StoreFull(error) : new StoreUnavailable(error);
}

function codeOf(error: unknown): number {
  return ((error as { errcode?: number } | null)?.errcode ?? 0) & 0xff;
}
