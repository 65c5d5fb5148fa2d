import { keepAtMost } from '../../domain/bounded-map.ts';
import { type DayCounts, firstOfDay, hourIn, total } from '../../domain/clicks/counts.ts';
import { type StoredDay, writeDay } from '../../domain/clicks/stored.ts';

/** How many texts are kept of each kind. */
const MOST = 5000;

/** Writes a day that begins with some counts, by visitors of whom some are new, told by the hours in which these came. */
export type WriteFirst = (counts: DayCounts, newVisitors: readonly number[]) => StoredDay;

/**
 * Clicks that are alone on their link and day share their counts with all that came alike, so the text of those is
 * written once.
 */
export function createFirstDays(): WriteFirst {
  const known = [new Map<DayCounts, StoredDay>(), new Map<DayCounts, StoredDay>()] as const;

  return (counts, newVisitors) => {
    const { clicks, bots } = total(counts);
    if (clicks + bots > 1) return writeDay(withVisitors(counts, newVisitors));
    const texts = known[newVisitors.length === 0 ? 0 : 1];
    const before = texts.get(counts);
    if (before !== undefined) return before;
    const text = writeDay(withVisitors(counts, newVisitors));
    keepAtMost(texts, MOST, counts, text);
    return text;
  };
}

/** A copy of some counts, with visitors added to the hours in which they came. */
export function withVisitors(counts: DayCounts, newVisitors: readonly number[]): DayCounts {
  const copy = firstOfDay(counts);
  for (const hour of newVisitors) hourIn(copy, hour).visitors += 1;
  return copy;
}
