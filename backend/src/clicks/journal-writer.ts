import { closeSync, ftruncateSync, openSync, unlinkSync, writeSync } from 'node:fs';
import type { Log } from '../log/json-log.ts';
import { createThrottledLog } from '../log/throttled-log.ts';
import { segmentPath } from './journal-files.ts';
import { createFrameWriter, MAGIC, type WordKind } from './journal-format.ts';

/**
 * Records clicks in a file before visitors are redirected. If the process is killed, the operating system still
 * writes the recorded clicks to the disk.
 */
export interface Journal {
  add(instant: number, click: NewClick): void;
  /** Writes the added clicks to the file. Never throws: clicks that cannot be written are reported to `onLost`. */
  commit(): void;
  /** Ends the current file and starts a new one. The old file can be deleted once its clicks are counted. */
  endSegment(): void;
  close(): void;
  /** Reduces `size` by the size of a deleted file, in bytes. */
  removed(bytes: number): void;
  /** Total size of the files with recorded clicks, in bytes. */
  readonly size: number;
}

export interface NewClick {
  link: number;
  visitor: number;
  agent: string;
  referrer: string;
  /** Two-letter code of the visitor's country, or an empty string if the country is unknown. */
  country: string;
}

export interface JournalOptions {
  folder: string;
  /** Called if clicks could not be recorded. The visitors are redirected, but these clicks are never counted. */
  onLost(clicks: number, error: unknown): void;
  /**
   * Maximum size of uncounted clicks in bytes. If counting fails for a long time, further clicks are lost, but the
   * disk does not fill up.
   */
  most?: number;
  segmentSize?: number;
}

/**
 * Maximum number of different user agents and of different referrers per file. Clients can send any text, so the
 * number must be limited. At the limit, a new file is started.
 */
const MAX_WORDS = 8192;

export function createJournal({ folder, onLost, most = 2 ** 30, segmentSize = 2 ** 25 }: JournalOptions): Journal {
  const frame = createFrameWriter();
  const words = { agent: new Map<string, number>(), referrer: new Map<string, number>() };
  let segment: { number: number; descriptor: number; size: number } | null = null;
  let last = 0;
  let size = 0;
  let timestamp = 0;

  function indexOf(kind: WordKind, word: string): number {
    const known = words[kind].get(word);
    if (known !== undefined) return known;
    const index = words[kind].size;
    // Copies the text, because a substring would keep the whole header in memory.
    words[kind].set(Buffer.from(word, 'latin1').toString('latin1'), index);
    frame.addWord(kind, word);
    return index;
  }

  function commit(): void {
    if (frame.count === 0) return;
    try {
      append(frame.finish(timestamp));
    } catch (error) {
      abandon();
      onLost(frame.count, error);
    }
    frame.clear();
    if (segment && segment.size >= segmentSize) endSegment();
  }

  function append(bytes: Buffer): void {
    if (size + bytes.length > most)
      throw new Error(`Clicks cannot be recorded, because ${size} bytes of clicks are already waiting to be counted.`);
    segment ??= openSegment();
    const written = writeSync(segment.descriptor, bytes);
    if (written < bytes.length) throw new Error('The clicks could be written only partly. The disk may be full.');
    segment.size += written;
    size += written;
  }

  function openSegment(): NonNullable<typeof segment> {
    const number = last + 1;
    const path = segmentPath(folder, number);
    const descriptor = openSync(path, 'wx', 0o600);
    try {
      if (writeSync(descriptor, MAGIC) < MAGIC.length)
        throw new Error('A new file for clicks could be written only partly. The disk may be full.');
    } catch (error) {
      closeSync(descriptor);
      unlinkSync(path);
      throw error;
    }
    last = number;
    size += MAGIC.length;
    return { number, descriptor, size: MAGIC.length };
  }

  /**
   * Closes the current file after a failed write, so that later clicks are written to a new file. The failed write
   * may have contained user agents to which later clicks in the same file would refer.
   */
  function abandon(): void {
    if (segment) {
      try {
        ftruncateSync(segment.descriptor, segment.size);
      } catch {
        // Readers ignore partly written clicks, which are always at the end of a file.
      }
    }
    closeSegment();
  }

  function closeSegment(): void {
    if (segment) closeSync(segment.descriptor);
    segment = null;
    for (const kind of Object.values(words)) kind.clear();
  }

  function endSegment(): void {
    if (!segment || segment.size === MAGIC.length) return;
    closeSegment();
    try {
      // A newer file tells readers that the previous file is complete.
      segment = openSegment();
    } catch {
      // The next call to `commit` tries to create the file again and reports any failure.
    }
  }

  return {
    add(instant, { link, visitor, agent, referrer, country }) {
      if (frame.isFull()) commit();
      if (words.agent.size >= MAX_WORDS || words.referrer.size >= MAX_WORDS) {
        commit();
        endSegment();
      }
      timestamp = instant;
      frame.addClick(link, visitor, indexOf('agent', agent), indexOf('referrer', referrer), country);
    },
    commit,
    endSegment,
    close: closeSegment,
    removed(bytes) {
      size -= bytes;
    },
    get size() {
      return size;
    },
  };
}

/** Counts and logs clicks that could not be recorded. */
export interface Losses {
  add(clicks: number, error: unknown): void;
  report(): void;
  total(): number;
}

/**
 * Minimum time in milliseconds between two log lines about lost clicks. On a full disk, up to 80,000 clicks per
 * second may be lost.
 */
const LOG_INTERVAL_MS = 10_000;

export function createLosses(log: Log): Losses {
  let total = 0;
  const throttled = createThrottledLog(LOG_INTERVAL_MS, (clicks, error) =>
    log('error', 'visitors were redirected, but their clicks could not be recorded', { clicks, error }),
  );

  return {
    add(clicks, error) {
      total += clicks;
      throttled.add(clicks, error);
    },
    report: throttled.flush,
    total: () => total,
  };
}
