import { plainCell } from '@terse/contract/csv';
import type { Tabs } from '../../browser/browser.ts';
import browser from '../../browser/browser.ts';
import { MAX_FILE_SIZE } from '../../import-export/import-limits-and-errors.ts';
import { recognizeColumns } from '../../import-export/parse-table.ts';
import { decode } from '../../import-export/text-encoding.ts';
import { isWebUrl } from '../../urls/shortenable-url.ts';
import { type Found, foundInText, isTooMuch, type Taken, takeText, withinLimit } from './list-model.ts';

/**
 * The addresses of a file: HTML by its links, CSV by its column of addresses, anything else as text.
 *
 * @throws where it cannot be read
 */
export async function readFile(file: File): Promise<Taken | 'not_text'> {
  if (file.size > MAX_FILE_SIZE) return 'too_much';
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
  const webBase = isWebUrl(base) ? URL.parse(base) : null;
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
  const { url, title } = recognizeColumns(header);
  if (url === undefined) return data.flatMap((row) => foundInText(row.join('\n')).filter(isFirstOrAddress));
  const cell = (row: string[], name: string | undefined) => row[header.indexOf(name ?? '')]?.trim() ?? '';
  return rows.map((row) => ({ text: cell(row, url) || row.join(' ').trim(), title: cell(row, title) }));
}

/** Of a row that nobody has named the columns of: its addresses, or its first cell where there are none. */
function isFirstOrAddress({ text }: Found, index: number, row: Found[]): boolean {
  const isAddress = (one: Found) => /^https?:/i.test(one.text);
  return row.some(isAddress) ? isAddress({ text, title: '' }) : index === 0;
}

/**
 * What is pasted or dropped: files, dragged links, or text. Formatted text whose words hold no address is read by its links:
 * a list copied from a page.
 */
export function readTransfer(transfer: Pick<DataTransfer, 'files' | 'getData'>): { files: File[]; found: Taken } {
  const files = [...transfer.files];
  if (files.length > 0) return { files, found: [] };
  const [uris, text] = [transfer.getData('text/uri-list'), transfer.getData('text/plain')];
  if (isTooMuch(uris)) return { files, found: 'too_much' };
  // Comments in it start with a number sign (RFC 2483).
  const dragged = uris.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  if (dragged.length > 0) return { files, found: withinLimit(dragged.map((one) => ({ text: one, title: '' }))) };
  const html = /https?:/i.test(text) ? '' : transfer.getData('text/html');
  if (html.length > MAX_FILE_SIZE) return { files, found: 'too_much' };
  const links = foundInHtml(html).filter((link) => /^https?:/i.test(link.text));
  return { files, found: links.length > 0 ? withinLimit(links) : takeText(text) };
}

/*
 * Addresses of open tabs. The browser tells them only to whom the person has allowed it, and is asked to when they want it,
 * in their click: before any `await`.
 */

/** Whether the person lets the browser tell the addresses of tabs. Called inside their click. */
export function askForTabs(): Promise<boolean> {
  return browser.permissions.request({ permissions: ['tabs'] });
}

/** Gives the permission back, so that Terse can read no tabs later. One that an administrator granted stays. */
export async function giveBackTabs(): Promise<void> {
  await browser.permissions.remove({ permissions: ['tabs'] }).catch(() => undefined);
}

/**
 * The tabs of the window that the list is made in, but for the extension's own pages. That is the window of this page, unless
 * Chromium has opened it in an ordinary one for a private one: then it is that of the tab it was opened from or, where that is
 * closed by now, every private window.
 *
 * @param isPrivate whether the list is of a private window; one that is kept takes none of theirs
 * @param openedFrom the tab that the page was opened from; null: not known
 */
export async function tabsOfWindow(isPrivate: boolean, openedFrom: number | null): Promise<Found[]> {
  if (!isPrivate || browser.extension.inIncognitoContext) {
    return found(await browser.tabs.query({ currentWindow: true }), isPrivate);
  }
  const hidden = (await browser.tabs.query({})).filter(({ incognito }) => incognito);
  const from = hidden.find(({ id }) => id === openedFrom);
  return found(
    hidden.filter(({ windowId }) => !from || windowId === from.windowId),
    true,
  );
}

/** Tabs by their ids; those that are closed by now are not among them. */
export async function tabsByIds(ids: number[], isPrivate: boolean): Promise<Found[]> {
  const tabs = await Promise.all(ids.map((id) => browser.tabs.get(id).catch(() => null)));
  return found(
    tabs.filter((tab) => tab !== null),
    isPrivate,
  );
}

function found(tabs: Tabs.Tab[], isPrivate: boolean): Found[] {
  const own = browser.runtime.getURL('');
  const open = tabs.filter(({ incognito }) => isPrivate || !incognito);
  return open.flatMap(({ url, title }) =>
    url && !url.startsWith(own) ? [{ text: url, title: title ?? '', isNamed: true } as const] : [],
  );
}
