import { type Clock, type Random, randomText } from '../../domain/clock-and-random.ts';
import { CODE_ALPHABET } from '../../domain/links/short-codes.ts';
import type { ImportPreview } from '../../import/preview-import.ts';
import type { Upload } from './receive-upload.ts';

/** Time for which an upload waits until the user confirms the import, in milliseconds. */
const LIFETIME = 15 * 60_000;

/** Interval between checks for expired uploads, in milliseconds. */
const CHECK_INTERVAL = 1000;

/** Uploaded file with its preview, not imported yet. */
export interface PendingUpload {
  upload: Upload;
  preview: ImportPreview;
}

interface StoredUpload extends PendingUpload {
  token: string;
  until: number;
}

/** Stores one upload per account until it is imported, replaced or expired. */
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
    /** Stores an upload instead of the account's previous one. Returns its token. */
    async add(accountId: number, waiting: PendingUpload): Promise<string> {
      const previous = byAccount.get(accountId);
      const token = randomText(random, CODE_ALPHABET, 20);
      // Deleting first keeps the uploads in the order of their arrival. The map is updated before the first await. Otherwise
      // the second of two simultaneous uploads could replace the first one without closing it.
      byAccount.delete(accountId);
      byAccount.set(accountId, { ...waiting, token, until: clock() + LIFETIME });
      timer ??= setInterval(dropOld, CHECK_INTERVAL).unref();
      await previous?.upload.close();
      return token;
    },
    /** Removes and returns the account's upload with this token, or null if it has expired. The caller must close it. */
    take(accountId: number, token: string): PendingUpload | null {
      dropOld();
      const waiting = byAccount.get(accountId);
      if (waiting?.token !== token) return null;
      byAccount.delete(accountId);
      return waiting;
    },
    /** Deletes the upload that has waited longest. Returns false if there is none. */
    async dropOldest(): Promise<boolean> {
      const [oldest] = byAccount.keys();
      if (oldest === undefined) return false;
      await drop(oldest);
      return true;
    },
  };
}
