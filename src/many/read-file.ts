import { plainCell } from '@terse/contract/csv';
import { recognize } from '../data/columns.ts';
import { LARGEST } from '../data/contents.ts';
import { decode } from '../data/decode.ts';
import { isWebAddress } from '../target/target.ts';
import { isTooMuch, type Taken, withinLimit } from './bounds.ts';
import { type Found, foundInText } from './entries.ts';

/**
 * The addresses of a file: HTML by its links, CSV by its column of addresses, anything else as text.
 *
 * @throws where it cannot be read
 */
export async function readFile(file: File): Promise<Taken | 'not_text'> {
  if (file.size > LARGEST) return 'too_much';
  const decoded = decode(new Uint8Array(await file.arrayBuffer()));
  if (!decoded) return 'not_text';
  const text = decoded.text.replace(/^\uFEFF/, '');
  const isHtml = /html/.test(file.type) || /\.html?$/i.test(file.name);
  const isCsv = /csv/.test(file.type) || /\.(csv|tsv)$/i.test(file.name);
  if (isHtml) return withinLimit(foundInHtml(text));
  if (isTooMuch(text)) return 'too_much';
  return withinLimit(isCsv ? await foundInCsv(text) : foundInText(text));
}

/** Returns the links of a page or of exported bookmarks. The HTML is only parsed: nothing of it is loaded or run. */
export function foundInHtml(html: string): Found[] {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const base = page.querySelector('base[href]')?.getAttribute('href') ?? '';
  const webBase = isWebAddress(base) ? URL.parse(base) : null;
  return [...page.querySelectorAll('a[href]')].flatMap((anchor) => {
    const text = anchor.getAttribute('href')?.trim() ?? '';
    // A place on the page itself is no address.
    return text === '' || text.startsWith('#')
      ? []
      : [{ ...linkTarget(text, webBase), title: anchor.textContent.trim() }];
  });
}

function linkTarget(text: string, base: URL | null): Pick<Found, 'text' | 'isRelative'> {
  if (URL.canParse(text)) return { text };
  const resolved = URL.parse(text.startsWith('//') ? `${base?.protocol ?? 'https:'}${text}` : text, base?.href);
  return resolved ? { text: resolved.href } : { text, isRelative: true };
}

/** The addresses of a table: those of the column that is called so, else any that a row holds. */
export async function foundInCsv(text: string): Promise<Found[]> {
  const { default: papa } = await import('papaparse');
  const { data } = papa.parse<string[]>(text, { skipEmptyLines: 'greedy', transform: plainCell });
  const [header = [], ...rows] = data;
  const { url, title } = recognize(header);
  if (url === undefined) return data.flatMap((row) => foundInText(row.join('\n')).filter(isFirstOrAddress));
  const cell = (row: string[], name: string | undefined) => row[header.indexOf(name ?? '')]?.trim() ?? '';
  return rows.map((row) => ({ text: cell(row, url) || row.join(' ').trim(), title: cell(row, title) }));
}

/** Of a row that nobody has named the columns of: its addresses, or its first cell where there are none. */
function isFirstOrAddress({ text }: Found, index: number, row: Found[]): boolean {
  const isAddress = (one: Found) => /^https?:/i.test(one.text);
  return row.some(isAddress) ? isAddress({ text, title: '' }) : index === 0;
}
