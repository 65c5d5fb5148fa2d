import { type DayCounts, emptyDay, KINDS } from './counts.ts';

/**
 * A day's counts as one text: the store reads and writes a link's day as a whole, so a click costs it one row however
 * much is told about it. Lists of pairs, since a name may be any text, `__proto__` included.
 */
export function writeDay({ hours, names }: DayCounts): string {
  return JSON.stringify({
    hours: [...hours].map(([hour, { clicks, visitors, bots }]) => [hour, clicks, visitors, bots]),
    ...Object.fromEntries(KINDS.map((kind) => [kind, [...names[kind]]])),
  });
}

type Stored = { hours: [number, number, number, number][] } & Record<(typeof KINDS)[number], [string, number][]>;

/** The counts that `writeDay` wrote. */
export function readDay(text: string): DayCounts {
  const stored = JSON.parse(text) as Stored;
  const day = emptyDay();
  for (const [hour, clicks, visitors, bots] of stored.hours) day.hours.set(hour, { clicks, visitors, bots });
  for (const kind of KINDS) day.names[kind] = new Map(stored[kind]);
  return day;
}
