import type { Reply } from '../messages/messages.ts';
import { PrivateMemoryFull } from '../storage/private-memory.ts';

/** What an error that nobody foresaw is told as. */
export function failureCode(error: unknown): 'private_full' | 'storage_full' | 'internal' {
  if (error instanceof PrivateMemoryFull) return 'private_full';
  return error instanceof DOMException && error.name === 'QuotaExceededError' ? 'storage_full' : 'internal';
}

/** The same, as a page is answered. */
export function failure(error: unknown): Reply<never> {
  const code = failureCode(error);
  return error instanceof PrivateMemoryFull ? { ok: false, code, fits: error.fits } : { ok: false, code };
}
