import { existsSync, mkdirSync, renameSync, statSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Aggregate } from '../domain/analytics/daily-counts.ts';
import { createAggregator } from '../domain/analytics/sum-clicks-per-day.ts';
import { flush } from '../files/create-file-atomically.ts';
import { lockFile, lockPath, removeLockedFolder } from '../files/file-lock.ts';
import type { ClickStore } from '../store/interface/click-store.ts';
import { StoreError } from '../store/interface/store.ts';
import { type Classify, createClassifier } from './classify-click.ts';
import { journalFolder, journalsIn, mayBeLinked, segmentPath, segmentsIn, unreadableFolder } from './journal-files.ts';
import { MAX_CLICKS as MAX_CLICKS_PER_FRAME, openSegment, type Segment } from './journal-format.ts';

/**
 * Progress of counting the clicks that one process has recorded in numbered files, called segments. An interrupted
 * count can resume from this progress.
 *
 * All clicks in earlier segments and before byte `start` of the current segment are counted. The clicks between the
 * bytes `start` and `end` are summed by link and day. The sums always have the same order, and the first `done` sums
 * are already stored.
 *
 * A sum includes at most `most` clicks. In data from version 0.1, this number is unlimited.
 */
export interface Progress {
  segment: number;
  start: number;
  end: number;
  done: number;
  most: number;
}

export const START_OF_JOURNAL: Progress = { segment: 0, start: 0, end: 0, done: 0, most: Number.POSITIVE_INFINITY };

export function writeProgress({ segment, start, end, done, most }: Progress): string {
  return `${segment}:${start}:${end}:${done}:${most}`;
}

export function readProgress(text: string | null): Progress {
  if (text === null) return START_OF_JOURNAL;
  const [segment = 0, start = 0, end = 0, done = 0, most = Number.POSITIVE_INFINITY] = text.split(':').map(Number);
  return { segment, start, end, done, most };
}

/** Reads recorded clicks from files and adds them to the counts in the database. */
export interface Counting {
  /** Counts all clicks recorded so far. After a failure, the next call resumes from the stored progress. */
  count(): Promise<void>;
  /** Returns the total size of the uncounted clicks, in bytes. */
  uncountedBytes(): number;
  /**
   * Counts the remaining clicks and deletes the folder with their files. Must not be called while a process still
   * writes to this folder.
   */
  finish(): Promise<void>;
}

export interface CountingServices {
  clicks: ClickStore;
  classify: Classify;
  folder: string;
  journal: string;
  /**
   * Called after all clicks in a file were counted and the file was deleted.
   *
   * @param bytes size of the deleted file
   * @param incompleteBytes size of an incomplete record at the end of the file
   */
  onRemoved(bytes: number, incompleteBytes: number): void;
  /**
   * Called after an unreadable file was moved to another folder.
   *
   * @param file path of the moved file
   */
  onUnreadable(file: string, bytes: number): void;
}

/**
 * Maximum number of clicks in memory (about 6 MB). Summing many clicks at once reduces the number of database writes.
 */
const MAX_CLICKS_IN_MEMORY = 2 ** 18 - MAX_CLICKS_PER_FRAME;

/** Maximum number of sums that one transaction stores. Long transactions would block other writers. */
const MAX_SUMS = 250;
const MAX_VISITORS = 2000;
const MAX_CLICKS = 2 ** 16;

export function createCounting({
  clicks,
  classify,
  folder,
  journal,
  onRemoved,
  onUnreadable,
}: CountingServices): Counting {
  const aggregator = createAggregator();
  let known: { text: string | null; progress: Progress } | null = null;
  let open: { number: number; segment: Segment } | null = null;

  async function count(isEnded: boolean): Promise<void> {
    try {
      const text = known ? known.text : await clicks.progress(journal);
      known ??= { text, progress: readProgress(text) };
      const numbers = segmentsIn(folder);
      for (const number of numbers) {
        const isKnown = number < known.progress.segment || (await countSegment(number));
        // If `isEnded` is false, a process could still append clicks to the newest file.
        const isNewest = number === numbers.at(-1);
        if (!isKnown && (isEnded || !isNewest)) moveUnreadable(number);
        else if (!isNewest) remove(number);
      }
    } catch (error) {
      close();
      known = null;
      throw error;
    }
  }

  /** Counts the clicks in one file. Returns false if the file cannot be read. */
  async function countSegment(number: number): Promise<boolean> {
    if (open?.number !== number) {
      close();
      open = { number, segment: openSegment(segmentPath(folder, number)) };
    }
    const { segment } = open;
    if (!segment.isKnown()) return false;
    const before = progressIn(number);
    if (segment.position < before.start) segment.read(before.start, null);
    // Completes an interrupted count before counting newer clicks.
    if (before.done > 0) await countPart(segment, before.end, Number.POSITIVE_INFINITY);
    const end = segment.size();
    while (await countPart(segment, end, MAX_CLICKS_IN_MEMORY));
    return true;
  }

  /** Counts the next clicks in a file. Returns false if there are no more clicks to count. */
  async function countPart(segment: Segment, until: number, most: number): Promise<boolean> {
    const start = segment.position;
    aggregator.clear();
    segment.read(
      until,
      (click) => aggregator.add(classify(click)),
      () => aggregator.size >= most,
    );
    if (segment.position === start) return false;
    const { segment: number, done, most: mostClicks } = progressIn(open?.number ?? 0);
    const part = { segment: number, start, end: segment.position, most: done > 0 ? mostClicks : MAX_CLICKS };
    const batches = inBatches(aggregator.inOrder(part.most).drop(done));
    let counted = done;
    for (let batch = batches.next(); !batch.done; ) {
      const next = batches.next();
      counted += batch.value.length;
      const to = next.done ? { ...part, start: part.end, done: 0 } : { ...part, done: counted };
      await apply(to, batch.value, !next.done);
      batch = next;
    }
    return true;
  }

  async function apply(to: Progress, aggregates: Aggregate[], hasMore: boolean): Promise<void> {
    const text = writeProgress(to);
    const counted = await clicks.apply({ journal, from: known?.text ?? null, to: text, aggregates, hasMore });
    if (!counted) throw new Error(`Another process has already counted clicks of the journal ${journal}.`);
    known = { text, progress: to };
  }

  function progressIn(number: number): Progress {
    const progress = known?.progress;
    return progress?.segment === number ? progress : { ...START_OF_JOURNAL, segment: number };
  }

  function remove(number: number): void {
    const path = segmentPath(folder, number);
    const { size } = statSync(path);
    const incompleteBytes = open?.number === number ? size - open.segment.position : 0;
    if (open?.number === number) close();
    unlinkSync(path);
    onRemoved(size, incompleteBytes);
  }

  /** Moves an unreadable file to a separate folder instead of deleting it. */
  function moveUnreadable(number: number): void {
    close();
    const path = segmentPath(folder, number);
    const target = unreadableFolder(folder);
    mkdirSync(target, { recursive: true, mode: 0o700 });
    const { size } = statSync(path);
    renameSync(path, segmentPath(target, number));
    onUnreadable(segmentPath(target, number), size);
  }

  function close(): void {
    open?.segment.close();
    open = null;
  }

  /**
   * True if files from this folder may still exist in a backup or in the folder for unreadable files. The stored
   * progress is then kept, so that the clicks in these files are not counted twice.
   */
  function mayReappear(): boolean {
    return mayBeLinked(dirname(folder)) || existsSync(unreadableFolder(folder));
  }

  return {
    count: () => count(false),
    uncountedBytes() {
      const numbers = segmentsIn(folder);
      const written = numbers.reduce((sum, number) => sum + statSync(segmentPath(folder, number)).size, 0);
      return open && open.number === numbers[0] ? written - open.segment.position : written;
    },
    async finish() {
      await count(true);
      close();
      // Deletes the files first and the stored progress last. Otherwise, clicks could be counted twice if the process
      // is killed in between.
      removeLockedFolder(folder);
      if (existsSync(dirname(folder))) flush(dirname(folder));
      if (!mayReappear()) await clicks.forgetJournal(journal);
    },
  };
}

/** Splits sums into batches, one for each transaction. A batch contains at most one sum per link and day. */
function* inBatches(aggregates: Iterable<Aggregate>): Generator<Aggregate[]> {
  let batch: Aggregate[] = [];
  let visitors = 0;
  for (const aggregate of aggregates) {
    const last = batch.at(-1);
    const isMoreOfLast = last?.link === aggregate.link && last.day === aggregate.day;
    if (isMoreOfLast || batch.length === MAX_SUMS || visitors >= MAX_VISITORS) {
      yield batch;
      batch = [];
      visitors = 0;
    }
    batch.push(aggregate);
    visitors += aggregate.visitors.size;
  }
  if (batch.length > 0) yield batch;
}

/**
 * Counts all recorded clicks of a database and deletes their files. Files that cannot be read are moved to another
 * folder.
 *
 * @param onUnreadable called with the new path of each moved file
 * @throws StoreError if a process is still recording clicks
 */
export async function countAllJournals(
  clicks: ClickStore,
  directory: string,
  identity: string,
  onUnreadable: (file: string) => void,
): Promise<void> {
  if (!existsSync(directory)) return;
  const classify = createClassifier();
  for (const journal of journalsIn(directory, identity)) {
    const folder = journalFolder(directory, identity, journal);
    const counting = () => createCounting({ clicks, classify, folder, journal, onRemoved: () => {}, onUnreadable });
    if (!(await countUnlessWritten(folder, counting))) {
      throw new StoreError(
        `A process that serves the database is still writing clicks to ${folder}. Stop that process first.`,
      );
    }
  }
}

/**
 * Counts the clicks in a folder and deletes the folder. Returns false if another process is still writing to the
 * folder.
 */
export async function countUnlessWritten(folder: string, counting: () => Counting): Promise<boolean> {
  const unlock = lockFile(lockPath(folder));
  if (!unlock) return false;
  try {
    await counting().finish();
    return true;
  } finally {
    unlock();
  }
}
