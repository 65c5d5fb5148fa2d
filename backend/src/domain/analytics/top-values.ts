/** Used if the referrer or country of a click is unknown. */
export const UNKNOWN = '';
export const OTHER = 'other';

export type Names = Map<string, number>;

/**
 * Maximum number of different values, such as browsers or countries, that are stored per link, day and property. The
 * number must be limited, because clients can send any text.
 */
export const MAX_STORED_NAMES = 100;

export const MAX_LISTED_NAMES = 50;

export function addCount(names: Names, name: string, by: number): void {
  names.set(name, (names.get(name) ?? 0) + by);
}

/**
 * Adds counts to a summary of at most `MAX_STORED_NAMES` names. The algorithm is the Misra-Gries summary, merged as
 * in Agarwal et al., "Mergeable Summaries" (PODS 2012). If there are more than 100 names, the 101st highest count is
 * subtracted from the count of each name. The subtracted clicks are added to `other`. Names whose count falls to zero
 * are removed.
 *
 * Stored counts are never too high. They are too low by at most 1/101 of all clicks that have a name. A name with
 * more than 1/101 of these clicks is always stored.
 */
export function addNames(sum: Names, more: Iterable<[name: string, clicks: number]>): void {
  for (const [name, clicks] of more) addCount(sum, name, clicks);
  limitNames(sum);
}

/** Limits the number of names, as `addNames` does. */
export function limitNames(sum: Names): void {
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

/**
 * Returns the `MAX_LISTED_NAMES` most frequent names in descending order. The clicks of all other names are summed as
 * `other`.
 */
export function mostFrequent(names: Names): [name: string, clicks: number][] {
  const own = [...names].filter(([name]) => name !== OTHER).sort(byClicks);
  const rest = own.slice(MAX_LISTED_NAMES).reduce((sum, [, clicks]) => sum + clicks, names.get(OTHER) ?? 0);
  const listed = own.slice(0, MAX_LISTED_NAMES);
  return rest > 0 ? [...listed, [OTHER, rest] as [string, number]].sort(byClicks) : listed;
}

function byClicks([one, a]: [string, number], [two, b]: [string, number]): number {
  return b - a || (one < two ? -1 : 1);
}
