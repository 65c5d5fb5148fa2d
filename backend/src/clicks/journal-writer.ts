import { closeSync, ftruncateSync, openSync, unlinkSync, writeSync } from 'node:fs';
import type { Log } from '../log/json-log.ts';
import { createThrottledLog } from '../log/throttled-log.ts';
import { segmentPath } from './journal-files.ts';
import { createFrameWriter, MAGIC, type WordKind } from './journal-format.ts';

/** File to which clicks are written before they are answered. The page cache survives a killed process. */
export interface Journal {
  add(instant: number, click: NewClick): void;
  /** Writes the added clicks, and returns when the system has them. Never throws: losses are reported to `onLost`. */
  commit(): void;
  /** Ends the segment, so that it can be removed after counting. */
  endSegment(): void;
  /** Nothing may be added afterwards. */
  close(): void;
  /** Subtracts the bytes of counted segments that were removed. */
  removed(bytes: number): void;
  /** Bytes on disk. */
  readonly size: number;
}

export interface NewClick {
  link: number;
  visitor: number;
  agent: string;
  referrer: string;
  /** Two letters, or an empty string. */
  country: string;
}

export interface JournalOptions {
  folder: string;
  /** Called with clicks that were answered but will not be counted. */
  onLost(clicks: number, error: unknown): void;
  /** Maximum number of uncounted bytes, so that the disk does not fill up if counting has stopped. */
  most?: number;
  segmentSize?: number;
}

/** Maximum number of words of a kind per segment, so that a flood of invented words is dropped with the segment. */
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
    // Copied, because a slice would keep the whole header in memory.
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
    if (size + bytes.length > most) throw new Error(`The journal holds ${size} bytes that are not counted yet.`);
    segment ??= openSegment();
    const written = writeSync(segment.descriptor, bytes);
    if (written < bytes.length) throw new Error('The journal could not be written whole.');
    segment.size += written;
    size += written;
  }

  function openSegment(): NonNullable<typeof segment> {
    const number = last + 1;
    const path = segmentPath(folder, number);
    const descriptor = openSync(path, 'wx', 0o600);
    try {
      if (writeSync(descriptor, MAGIC) < MAGIC.length) throw new Error('The journal could not be begun.');
    } catch (error) {
      closeSync(descriptor);
      unlinkSync(path);
      throw error;
    }
    last = number;
    size += MAGIC.length;
    return { number, descriptor, size: MAGIC.length };
  }

  /** Removes the incomplete frame and starts a new segment, because the words of the lost frame were not written. */
  function abandon(): void {
    if (segment) {
      try {
        ftruncateSync(segment.descriptor, segment.size);
      } catch {
        // Readers stop at the incomplete frame, which is then the segment's last.
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
      // A segment has ended if a later one exists.
      segment = openSegment();
    } catch {
      // The next commit tries again, and reports a failure.
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

/** Counts and logs clicks that were answered but will not be counted. */
export interface Losses {
  add(clicks: number, error: unknown): void;
  /** Logs the losses since the last log line. */
  report(): void;
  total(): number;
}

/** Milliseconds between two log lines. A full disk would fail 80,000 times per second. */
const LOG_INTERVAL_MS = 10_000;

export function createLosses(log: Log): Losses {
  let total = 0;
  const throttled = createThrottledLog(LOG_INTERVAL_MS, (clicks, error) =>
    log('error', 'clicks were answered but could not be written down', { clicks, error }),
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
