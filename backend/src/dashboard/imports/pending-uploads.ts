import { type Clock, type Random, randomText } from '../../domain/clock-and-random.ts';
import { CODE_ALPHABET } from '../../domain/links/short-codes.ts';
import type { ImportPreview } from '../../import/preview-import.ts';
import type { Upload } from './receive-upload.ts';

/** How long a file waits for its account to say that it is to be imported, in milliseconds. */
const LIFETIME = 15 * 60_000;

/** How often to look whether one has waited for too long, in milliseconds. */
const CHECK_INTERVAL = 1000;

/** A file that was surveyed and not imported yet. */
export interface PendingUpload {
  upload: Upload;
  survey: ImportPreview;
}

interface StoredUpload extends PendingUpload {
  token: string;
  until: number;
}

/** Keeps one file for each account until it is imported, given up, or has waited for too long. */
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
    /** Keeps a file in the stead of the account's last one. Returns what names it. */
    async keep(accountId: number, waiting: PendingUpload): Promise<string> {
      const before = byAccount.get(accountId);
      const token = randomText(random, CODE_ALPHABET, 20);
      // Deleted first, so that the files stay in the order in which they came. All before anything is waited for: of two
      // files that come at once, the second would otherwise take the place of the first without closing it.
      byAccount.delete(accountId);
      byAccount.set(accountId, { ...waiting, token, until: clock() + LIFETIME });
      timer ??= setInterval(dropOld, CHECK_INTERVAL).unref();
      await before?.upload.close();
      return token;
    },
    /** Hands over the account's file of that name: whoever has it closes it. Null where it is gone. */
    take(accountId: number, token: string): PendingUpload | null {
      dropOld();
      const waiting = byAccount.get(accountId);
      if (waiting?.token !== token) return null;
      byAccount.delete(accountId);
      return waiting;
    },
    /** Gives up the file that has waited longest. Returns false where none waits. */
    async dropOldest(): Promise<boolean> {
      const [oldest] = byAccount.keys();
      if (oldest === undefined) return false;
      await drop(oldest);
      return true;
    },
  };
}
