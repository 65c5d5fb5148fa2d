import { existsSync, mkdirSync, renameSync, statSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { createAggregator } from '../domain/analytics/clicks-to-daily-counts.ts';
import type { Aggregate } from '../domain/analytics/daily-counts.ts';
import { lockFile, lockPath, removeLockedFolder } from '../files/file-lock.ts';
import type { ClickStore } from '../store/interface/click-store.ts';
import { StoreError } from '../store/interface/store.ts';
import { type Classify, createClassifier } from './classify-click.ts';
import { asidePath, isHeld, journalFolder, journalsIn, segmentPath, segmentsIn } from './journal-files.ts';
import { MAX_CLICKS as MOST_IN_FRAME, openSegment, type Segment } from './journal-format.ts';

/**
 * How far a journal is counted: all segments before this one, this one up to `start`, and of what lies between `start`
 * and `end` the first `done` aggregates. A part is added up in the same order each time, so that where its transactions
 * were cut short the rest of them can follow. An aggregate of that order adds up at most `most` clicks; in version 0.1
 * there was no such bound.
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

/** Counts one journal into the store. */
export interface Counting {
  /** Counts what there is by now. After it throws, the next call continues from the progress in the store. */
  count(): Promise<void>;
  /** How many bytes are written and not counted yet. */
  waiting(): number;
  /** Counts and removes a journal that nobody writes any more. */
  finish(): Promise<void>;
}

export interface CountingServices {
  clicks: ClickStore;
  classify: Classify;
  folder: string;
  journal: string;
  /** Called when a segment is counted and removed, with its bytes and how many of them could not be read. */
  onRemoved(bytes: number, torn: number): void;
  /** Called when a segment cannot be read, with where it was put and its bytes. */
  onAside(file: string, bytes: number): void;
}

/**
 * Clicks held in memory at once, about six megabytes. The more are added up together, the fewer rows are written, and
 * the closer to each other those are that are written together. Columns double where they are full, so there is room for
 * the frame that reaches this bound.
 */
const MOST_HELD = 2 ** 18 - MOST_IN_FRAME;

/** The most that one transaction takes, give or take an aggregate, so that others can write in between. */
const MOST_AGGREGATES = 250;
const MOST_VISITORS = 2000;
const MAX_CLICKS = 2 ** 16;

export function createCounting({ clicks, classify, folder, journal, onRemoved, onAside }: CountingServices): Counting {
  // One for all parts: megabytes of a part before would wait to be collected while the next one takes as many.
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
        // The newest is still being written, unless the journal has ended.
        const isNewest = number === numbers.at(-1);
        if (!isKnown && (isEnded || !isNewest)) putAside(number);
        else if (!isNewest) remove(number);
      }
    } catch (error) {
      close();
      known = null;
      throw error;
    }
  }

  /** False where the segment cannot be read. */
  async function countSegment(number: number): Promise<boolean> {
    if (open?.number !== number) {
      close();
      open = { number, segment: openSegment(segmentPath(folder, number)) };
    }
    const { segment } = open;
    if (!segment.isKnown()) return false;
    const before = progressIn(number);
    if (segment.position < before.start) segment.read(before.start, null);
    // First to the end of a part that was cut short, then what came since.
    if (before.done > 0) await countPart(segment, before.end, Number.POSITIVE_INFINITY);
    const end = segment.size();
    while (await countPart(segment, end, MOST_HELD));
    return true;
  }

  /** False where there was nothing to count. */
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
      await apply(next.done ? { ...part, start: part.end, done: 0 } : { ...part, done: counted }, batch.value);
      batch = next;
    }
    return true;
  }

  async function apply(to: Progress, aggregates: Aggregate[]): Promise<void> {
    const text = writeProgress(to);
    const counted = await clicks.apply({ journal, from: known?.text ?? null, to: text, aggregates });
    if (!counted) throw new Error('A journal of clicks was counted by somebody else meanwhile.');
    known = { text, progress: to };
  }

  function progressIn(number: number): Progress {
    const progress = known?.progress;
    return progress?.segment === number ? progress : { ...START_OF_JOURNAL, segment: number };
  }

  function remove(number: number): void {
    const path = segmentPath(folder, number);
    const { size } = statSync(path);
    const torn = open?.number === number ? size - open.segment.position : 0;
    if (open?.number === number) close();
    unlinkSync(path);
    onRemoved(size, torn);
  }

  /** Moves a segment out of the way: the ones after it would never be counted. */
  function putAside(number: number): void {
    close();
    const path = segmentPath(folder, number);
    const aside = asidePath(folder);
    mkdirSync(aside, { recursive: true, mode: 0o700 });
    const { size } = statSync(path);
    renameSync(path, segmentPath(aside, number));
    onAside(segmentPath(aside, number), size);
  }

  function close(): void {
    open?.segment.close();
    open = null;
  }

  /** Whether the journal may be seen again, so that its progress must be kept, which costs a row. */
  function mayComeBack(): boolean {
    return isHeld(dirname(folder)) || existsSync(asidePath(folder));
  }

  return {
    count: () => count(false),
    waiting() {
      const numbers = segmentsIn(folder);
      const written = numbers.reduce((sum, number) => sum + statSync(segmentPath(folder, number)).size, 0);
      return open && open.number === numbers[0] ? written - open.segment.position : written;
    },
    async finish() {
      await count(true);
      close();
      // The files first: without them the journal is never counted again, even while its progress is still in the store.
      removeLockedFolder(folder);
      if (!mayComeBack()) await clicks.forgetJournal(journal);
    },
  };
}

/** Splits aggregates into transactions: each has at least one aggregate, and never two of one link and day. */
function* inBatches(aggregates: Iterable<Aggregate>): Generator<Aggregate[]> {
  let batch: Aggregate[] = [];
  let visitors = 0;
  for (const aggregate of aggregates) {
    const last = batch.at(-1);
    const isMoreOfLast = last?.link === aggregate.link && last.day === aggregate.day;
    if (isMoreOfLast || batch.length === MOST_AGGREGATES || visitors >= MOST_VISITORS) {
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
 * Counts every journal of a database that nobody serves any more, and removes it.
 *
 * @param onAside told of a file of clicks that cannot be read, and where it was put
 * @throws StoreError where somebody still writes one
 */
export async function countLeftJournals(
  clicks: ClickStore,
  directory: string,
  identity: string,
  onAside: (file: string) => void,
): Promise<void> {
  if (!existsSync(directory)) return;
  const classify = createClassifier();
  for (const journal of journalsIn(directory, identity)) {
    const folder = journalFolder(directory, identity, journal);
    const counting = () => createCounting({ clicks, classify, folder, journal, onRemoved: () => {}, onAside });
    if (!(await finishUnlessWritten(folder, counting))) {
      throw new StoreError(`A process that serves the database still writes clicks into ${folder}. Stop it first.`);
    }
  }
}

/** Counts a journal and removes it; false, and nothing done, where a live process holds its lock. */
export async function finishUnlessWritten(folder: string, counting: () => Counting): Promise<boolean> {
  const unlock = lockFile(lockPath(folder));
  if (!unlock) return false;
  try {
    await counting().finish();
    return true;
  } finally {
    unlock();
  }
}
