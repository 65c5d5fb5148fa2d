import { type Clock, type Random, randomText } from '../../domain/clock-and-random.ts';
import { CODE_ALPHABET } from '../../domain/links/short-codes.ts';
import type { ImportPreview } from '../../import/preview-import.ts';
import type { Upload } from './receive-upload.ts';

/** Time in milliseconds for which the server keeps an upload until the user confirms the import. */
const LIFETIME = 15 * 60_000;

/** Time between two checks for expired uploads, in milliseconds. */
const CHECK_INTERVAL = 1000;

/** Uploaded file that is waiting for the user's confirmation. */
export interface PendingUpload {
  upload: Upload;
  preview: ImportPreview;
}

interface StoredUpload extends PendingUpload {
  token: string;
  until: number;
}

/**
 * Creates a store for at most one upload per account. An upload is removed when it is imported or replaced, or when
 * it expires.
 */
export function createPendingUploads({
  clock,
  random,
  isStopping,
}: {
  clock: Clock;
  random: Random;
  isStopping(): boolean;
}) {
  const byAccount = new Map<number, StoredUpload>();
  let timer: NodeJS.Timeout | null = null;

  async function drop(accountId: number): Promise<void> {
    const waiting = byAccount.get(accountId);
    byAccount.delete(accountId);
    if (byAccount.size === 0 && timer) {
      clearInterval(timer);
      timer = null;
    }
    await waiting?.upload.close();
  }

  function dropOld(): void {
    for (const [accountId, { until }] of byAccount)
      if (isStopping() || until <= clock()) drop(accountId).catch(() => {});
  }

  return {
    /** Stores an upload and deletes the account's previous upload. Returns a token for the new upload. */
    async add(accountId: number, waiting: PendingUpload): Promise<string> {
      const previous = byAccount.get(accountId);
      const token = randomText(random, CODE_ALPHABET, 20);
      // Updates the map before the first `await`. Otherwise, if two uploads arrived simultaneously, one of them might
      // never be closed.
      byAccount.delete(accountId);
      byAccount.set(accountId, { ...waiting, token, until: clock() + LIFETIME });
      timer ??= setInterval(dropOld, CHECK_INTERVAL).unref();
      await previous?.upload.close();
      return token;
    },
    /**
     * Removes and returns the account's upload, which the caller must then close. Returns null if the upload has
     * expired or has a different token.
     */
    take(accountId: number, token: string): PendingUpload | null {
      dropOld();
      const waiting = byAccount.get(accountId);
      if (waiting?.token !== token) return null;
      byAccount.delete(accountId);
      return waiting;
    },
    /** Deletes the oldest upload. Returns false if there are no uploads. */
    async dropOldest(): Promise<boolean> {
      const [oldest] = byAccount.keys();
      if (oldest === undefined) return false;
      await drop(oldest);
      return true;
    },
  };
}
