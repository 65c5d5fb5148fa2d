/** The name of what a client did not tell, and of everything that has no name of its own. */
export const UNKNOWN = '';
export const OTHER = 'other';

/** How often each name was told. */
export type Names = Map<string, number>;

/** Names kept by kind for each link and day. Clients make them up, so there is no end to them. */
export const MAX_STORED_NAMES = 100;

/** Names that an analysis lists. */
export const MAX_LISTED_NAMES = 50;

export function increase(names: Names, name: string, by: number): void {
  names.set(name, (names.get(name) ?? 0) + by);
}

/**
 * Adds counts of names to a summary of at most `MOST_KEPT`, in place: Misra and Gries's summary, merged as Agarwal and
 * others do ("Mergeable Summaries", PODS 2012). Where there are too many names, the count of the first that is too many is
 * taken from all, and those with nothing left go; what was taken counts as `other`.
 *
 * However often and in whatever portions the clicks came: no name is told more often than it was, none less often by more
 * than a hundred-and-first part of the clicks that have a name, and one with more clicks than that is always kept. As long as no more
 * than `MOST_KEPT` names came, every count is exact. No click is lost, only its name.
 */
export function addNames(sum: Names, more: Iterable<[name: string, clicks: number]>): void {
  for (const [name, clicks] of more) increase(sum, name, clicks);
  const isOtherKept = sum.has(OTHER);
  if (sum.size - Number(isOtherKept) <= MAX_STORED_NAMES) return;
  const counts = Float64Array.from([...sum].filter(([name]) => name !== OTHER).map(([, clicks]) => clicks)).sort();
  const taken = counts.at(-1 - MAX_STORED_NAMES) as number;
  let other = sum.get(OTHER) ?? 0;
  for (const [name, clicks] of sum) {
    if (name === OTHER) continue;
    other += Math.min(clicks, taken);
    if (clicks > taken) sum.set(name, clicks - taken);
    else sum.delete(name);
  }
  sum.set(OTHER, other);
}

/** The same summary of names that were counted whole. */
export function bounded(names: Names): Names {
  if (names.size <= MAX_STORED_NAMES) return names;
  const sum: Names = new Map();
  addNames(sum, names);
  return sum;
}

/** The names told most often, most often first, at most `MOST_LISTED`; all others together as `other`, where it belongs. */
export function mostFrequent(names: Names): [name: string, clicks: number][] {
  const own = [...names].filter(([name]) => name !== OTHER).sort(byClicks);
  const rest = own.slice(MAX_LISTED_NAMES).reduce((sum, [, clicks]) => sum + clicks, names.get(OTHER) ?? 0);
  const listed = own.slice(0, MAX_LISTED_NAMES);
  return rest > 0 ? [...listed, [OTHER, rest] as [string, number]].sort(byClicks) : listed;
}

function byClicks([one, a]: [string, number], [two, b]: [string, number]): number {
  return b - a || (one < two ? -1 : 1);
}
