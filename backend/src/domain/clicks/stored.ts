import { type Counts, type DayCounts, type Kind, ofEachKind } from './counts.ts';

/**
 * A day's counts as one text: the store reads and writes a link's day as a whole, so a click costs it one row however
 * much is told about it. Lists of pairs, since a name may be any text, `__proto__` included.
 */
export function writeDay({ hours, names }: DayCounts): string {
  return JSON.stringify({
    hours: [...hours].map(([hour, { clicks, visitors, bots }]) => [hour, clicks, visitors, bots]),
    ...ofEachKind((kind) => [...names[kind]]),
  });
}

type Stored = { hours: [number, number, number, number][] } & Record<Kind, [string, number][]>;

/** The counts that `writeDay` wrote. */
export function readDay(text: string): DayCounts {
  const stored = JSON.parse(text) as Stored;
  const hours = new Map<number, Counts>();
  for (const [hour, clicks, visitors, bots] of stored.hours) hours.set(hour, { clicks, visitors, bots });
  return { hours, names: ofEachKind((kind) => new Map(stored[kind])) };
}
