import { existsSync, mkdirSync, renameSync, rmSync, statSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { createAggregator, named, type Unnamed } from '../domain/clicks/aggregates.ts';
import type { ClickStore } from '../store/click-store.ts';
import type { Classify } from './classify.ts';
import { asidePath, isHeld, segmentPath, segmentsIn } from './folders.ts';
import { type Progress, readProgress, writeProgress } from './progress.ts';
import { openSegment, type Segment } from './segment.ts';

/** Counts one journal into the store. */
export interface Counting {
  /** Counts what there is by now. Where it throws, the next call goes on from what the store says. */
  count(): Promise<void>;
  /** Bytes that were written and are not counted yet. */
  waiting(): number;
  /** Removes a journal that nobody writes any more, once it is counted. */
  finish(): Promise<void>;
}

export interface CountingServices {
  clicks: ClickStore;
  classify: Classify;
  folder: string;
  journal: string;
  /** Told of a segment that is counted and gone: its bytes, and how many of them could not be read. */
  onRemoved(bytes: number, torn: number): void;
  /** Told of a segment that cannot be read, where it was put, and its bytes. */
  onAside(file: string, bytes: number): void;
}

/** The weight of aggregates held in memory at once, about ten megabytes. The more clicks they add up, the fewer are written. */
const MOST_HELD = 150_000;

/** What one transaction takes at most, so that others may write in between. */
const MOST_AGGREGATES = 250;
const MOST_VISITORS = 2000;

export function createCounting({ clicks, classify, folder, journal, onRemoved, onAside }: CountingServices): Counting {
  let known: { text: string | null; progress: Progress } | null = null;
  let open: { number: number; segment: Segment } | null = null;

  async function count(isEnded: boolean): Promise<void> {
    try {
      const text = known ? known.text : await clicks.progress(journal);
      known ??= { text, progress: readProgress(text) };
      const numbers = segmentsIn(folder);
      for (const number of numbers) {
        const isKnown = number < known.progress.segment || (await countSegment(number));
        // The newest is being written, unless the journal has ended.
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
    // A part whose counting was cut short is counted to the end that was set for it, then what came since.
    if (before.done > 0) await countPart(segment, before.end, Number.POSITIVE_INFINITY);
    const end = segment.size();
    while (await countPart(segment, end, MOST_HELD));
    return true;
  }

  /** False where there was nothing to count. */
  async function countPart(segment: Segment, until: number, most: number): Promise<boolean> {
    const start = segment.position;
    const aggregates = createAggregator();
    segment.read(
      until,
      (click) => aggregates.add(classify(click)),
      () => aggregates.weight >= most,
    );
    if (segment.position === start) return false;
    const all = aggregates.all();
    const { segment: number, done } = progressIn(open?.number ?? 0);
    for (let from = done; from < all.length; ) {
      const some = portion(all, from);
      from += some.length;
      const part = { segment: number, start, end: segment.position, done: from };
      await batch(from < all.length ? part : { ...part, start: segment.position, done: 0 }, some);
    }
    return true;
  }

  async function batch(to: Progress, some: Unnamed[]): Promise<void> {
    const text = writeProgress(to);
    const counted = await clicks.apply({ journal, from: known?.text ?? null, to: text, aggregates: some.map(named) });
    if (!counted) throw new Error('A journal of clicks was counted by somebody else meanwhile.');
    known = { text, progress: to };
  }

  function progressIn(number: number): Progress {
    const progress = known?.progress;
    return progress?.segment === number ? progress : { segment: number, start: 0, end: 0, done: 0 };
  }

  function remove(number: number): void {
    const path = segmentPath(folder, number);
    const { size } = statSync(path);
    const torn = open?.number === number ? size - open.segment.position : 0;
    if (open?.number === number) close();
    unlinkSync(path);
    onRemoved(size, torn);
  }

  /** Out of the way of all the others, which would never be counted. */
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

  /** Then it must stay known how far it is counted, which costs a row. */
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
      // The files first: without them the journal is never counted again, whatever is still noted of it.
      rmSync(folder, { recursive: true });
      if (!mayComeBack()) await clicks.forgetJournal(journal);
    },
  };
}

/** As many of the aggregates as one transaction takes, and at least one. */
function portion(aggregates: Unnamed[], from: number): Unnamed[] {
  let to = from;
  let visitors = 0;
  while (to < aggregates.length && to - from < MOST_AGGREGATES && visitors < MOST_VISITORS) {
    visitors += aggregates[to]?.visitors.size ?? 0;
    to += 1;
  }
  return aggregates.slice(from, to);
}
