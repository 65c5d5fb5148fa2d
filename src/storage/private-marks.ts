import browser from '../platform/browser.ts';
import { hash } from '../queue/past-sends.ts';
import { codeIn } from '../queue/settle.ts';
import type { Link, Request } from '../queue/types.ts';

/*
 * The service lists links made in private windows like all others. Marks keep them from being stored when the list is read.
 * They are numbers in memory: the disk holds nothing of private windows, so the marks end with the browser.
 */

const KEY = 'privateMarks';

/** Maximum number of marks, two for each link. The oldest are dropped first. */
const MAX_MARKS = 20_000;

/** Matches every spelling of a short code: letter case and percent-encoding may differ between a list and a short URL. */
export function codeMark(shortCode: string): number {
  return hash(`code ${decoded(shortCode).toLowerCase()}`);
}

function urlMark(url: string): number {
  return hash(`url ${url}`);
}

export async function readMarks(): Promise<ReadonlySet<number>> {
  const { [KEY]: marks } = await browser.storage.session.get(KEY);
  return new Set(Array.isArray(marks) ? marks : []);
}

/** True if a listed link may be one that a private window made, on whichever connection. */
export function isMarked({ url, shortCode, shortUrl }: Listed, marks: ReadonlySet<number>): boolean {
  return [urlMark(url), codeMark(shortCode), codeMark(codeIn(shortUrl))].some((mark) => marks.has(mark));
}

type Listed = Pick<Link, 'url' | 'shortCode' | 'shortUrl'>;

/** Private links, and requests that are about to become some. */
interface Made {
  links: Pick<Link, 'url' | 'shortCode'>[];
  requests: Pick<Request, 'url' | 'minted' | 'options'>[];
}

/** Marks long URLs as well as short codes, because the service may choose the code. */
export function markPrivate({ links, requests }: Made): Promise<void> {
  const codes = [
    ...links.map(({ shortCode }) => shortCode),
    ...requests.flatMap(({ minted, options }) => minted?.code ?? options.shortCode ?? []),
  ];
  return addMarks([...[...links, ...requests].map(({ url }) => urlMark(url)), ...codes.map(codeMark)]);
}

export async function addMarks(marks: number[]): Promise<void> {
  if (marks.length === 0) return;
  const known = await readMarks();
  const all = known.union(new Set(marks));
  if (all.size > known.size) await browser.storage.session.set({ [KEY]: [...all].slice(-MAX_MARKS) });
}

function decoded(shortCode: string): string {
  try {
    return decodeURIComponent(shortCode);
  } catch {
    return shortCode;
  }
}
