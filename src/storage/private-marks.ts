import browser from '../platform/browser.ts';
import { hash } from '../queue/past-sends.ts';
import type { Link, Request } from '../queue/types.ts';

/*
 * What private windows make is at its service like any other link, and on the service's list. So that the list brings none
 * of it into this browser's history, a number for each short code outlives the windows. It tells neither code nor address.
 */

const KEY = 'privateMarks';

/** The oldest go first. No list is read further back than so many links. */
const MOST = 20_000;

/** The number of a short code on a connection, whose random id keeps two browsers from having the same. */
export function markOf(connectionId: string, shortCode: string): number {
  return hash(`${connectionId} ${shortCode}`);
}

export async function readMarks(): Promise<ReadonlySet<number>> {
  const { [KEY]: marks } = await browser.storage.local.get(KEY);
  return new Set(Array.isArray(marks) ? marks : []);
}

/** What a code is known of. */
interface Marked {
  links: Pick<Link, 'connectionId' | 'shortCode'>[];
  requests: Pick<Request, 'connectionId' | 'minted' | 'options'>[];
}

/** Marks every code that is known of private links and requests. */
export async function markPrivate({ links, requests }: Marked): Promise<void> {
  const codes = [
    ...links.map(({ connectionId, shortCode }) => ({ connectionId, code: shortCode })),
    ...requests.map(({ connectionId, minted, options }) => ({ connectionId, code: minted?.code ?? options.shortCode })),
  ];
  const marks = codes.flatMap(({ connectionId, code }) => (connectionId && code ? [markOf(connectionId, code)] : []));
  if (marks.length === 0) return;
  const known = await readMarks();
  const all = known.union(new Set(marks));
  if (all.size > known.size) await browser.storage.local.set({ [KEY]: [...all].slice(-MOST) });
}
