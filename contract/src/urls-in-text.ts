import { completeAddress, FILE_EXTENSIONS, trimAddress } from './addresses.ts';

export interface FoundUrls {
  /** URLs as they are written, in order and without duplicates. Their spaces are percent-encoded. */
  urls: string[];
  /**
   * False if a URL may be longer than the text in `urls`, because it may contain the space or the punctuation after
   * it. The user must then see the URLs before they are sent.
   */
  isCertain: boolean;
}

/** Finds the URLs in the text of an address field. The whole text is one URL if possible, even if it contains spaces. */
export function findUrlsInField(text: string): FoundUrls {
  const whole = completeAddress(text);
  return whole === null ? findUrls(text) : { urls: [whole], isCertain: true };
}

/**
 * Finds the URLs in a text. A line that is exactly one URL is that URL. In the rows of a table, a URL is a cell. In
 * any other line, a URL starts with `http://`, `https://` or `www.`, and ends before a space or closing punctuation.
 */
export function findUrls(text: string): FoundUrls {
  const found = findUrlsByLine(text);
  const seen = new Set<string>();
  const urls = found.flatMap((one) => one.urls).filter((url) => isNew(new URL(url).href, seen));
  return { urls, isCertain: found.every((one) => one.isCertain) };
}

function isNew(href: string, seen: Set<string>): boolean {
  const before = seen.size;
  return seen.add(href).size > before;
}

/** Returns the lines of a text that are not blank, each with its URLs as `findUrls` finds them. */
export function findUrlsByLine(text: string): (FoundUrls & { line: string })[] {
  const lines = text
    .replace(SEPARATOR_LINE, '')
    .split(/[\r\n]+/)
    .flatMap((line) => line.trim() || []);
  const rows = tableRows(lines);
  return lines.map((line, index) => ({ line, ...(rows ? findUrlsInRow(rows[index] ?? []) : findInLine(line)) }));
}

/** Matches the first line of a CSV text for Excel. */
const SEPARATOR_LINE = /^\s*sep=[^\r\n][\r\n]+/i;

const URL_START = /https?:\/\/|(?<![\w@.-])www\./gi;

/** Punctuation marks, brackets and spaces of Chinese and Japanese texts. */
const CJK = '\\u3000-\\u3003\\u3008-\\u3011\\u3014-\\u301f\\uff01-\\uff0f\\uff1a-\\uff20\\uff3b-\\uff40\\uff5b-\\uff65';

/** Matches a URL in prose, including punctuation at its end. */
const IN_PROSE = new RegExp(
  `(?:${URL_START.source})[^\\s<>"\\\\“”«»\\u200b\\u202a-\\u202e\\u2066-\\u2069\\ufeff${CJK}]+`,
  'gi',
);

/** Matches a line that starts with a URL whose file name contains spaces. */
const FILE_WITH_SPACES = new RegExp(`^(?:https?://|www\\.).*\\.(?:${FILE_EXTENSIONS}|zip|mov)(?:[?#]\\S*)?$`, 'i');

/** Matches a quotation inside a URL, as in `…/search?q="otters"`. A quotation after a separator is a cell of a table. */
const QUOTED_IN_URL = /(?<![,;\s])(?:"(?!https?:)[^"\s]*"|“[^“”\s]*”|«[^«»\s]*»)/g;

/** Separator between URLs that are written without spaces. */
const BETWEEN_URLS = /[,;](?=https?:\/\/)/i;

const CLOSERS: Record<string, string> = {
  '<': '>',
  '(': ')',
  '[': ']',
  '{': '}',
  '"': '"',
  "'": "'",
  '“': '”',
  '‘': '’',
  '«': '»',
  '「': '」',
  '`': '`',
  '*': '*',
  _: '_',
  '|': '|',
};

/** Other characters than an opening one before a URL that let a character end it: those of HTML and of JSON. */
const OPENERS: Record<string, string> = { '<': '>', '\\': '"' };

function findInLine(line: string): FoundUrls {
  const text = withoutWrapping(trimAddress(line));
  const whole = wholeLine(text);
  if (whole) return { urls: [whole], isCertain: !new RegExp(`[\\s"“”«»${CJK}]`).test(text) };
  return findInProse(text);
}

/** Removes a pair of brackets or quotation marks around a URL without spaces. */
function withoutWrapping(line: string): string {
  const inner = line.slice(1, -1);
  const isWrapped = line.length > 2 && CLOSERS[line.charAt(0)] === line.at(-1);
  return isWrapped && !/[\s<>"]/.test(inner) && completeAddress(inner) ? inner : line;
}

/** Returns the URL if the line is exactly one URL, and null otherwise. */
function wholeLine(line: string): string | null {
  if (/[<>"“”«»]/.test(line.replace(QUOTED_IN_URL, '')) || BETWEEN_URLS.test(line)) return null;
  return !/\s/.test(line) || FILE_WITH_SPACES.test(line) ? completeAddress(line) : null;
}

function findInProse(line: string): FoundUrls {
  const urls: string[] = [];
  let isCertain = true;
  let end = 0;
  for (const { 0: match, index } of line.matchAll(IN_PROSE)) {
    const before = line.slice(end, index);
    end = index + match.length;
    const url = cutUrl(match, before, line.charAt(end));
    const found = url.split(BETWEEN_URLS).flatMap((part) => completeAddress(part) ?? []);
    // The first of these characters ends a URL that is not valid otherwise, as in [[https://a.example|Title]].
    const [shorter = ''] = url.split(/[|^`{}]/);
    urls.push(...(found.length > 0 ? found : [completeAddress(shorter) ?? []].flat()));
    const rest = url.slice(found.length > 0 ? url.length : shorter.length) + match.slice(url.length) + line.charAt(end);
    isCertain &&= !continues(rest, before);
  }
  return { urls, isCertain: isCertain && !(line.search(URL_START) === 0 && WORDS_AFTER_URL.test(line)) };
}

/** Matches words after the URL at the start of a line, which might be the end of a path with spaces. */
const WORDS_AFTER_URL = /^\S+\s+(?!https?:\/\/|www\.)\S/i;

/**
 * Returns the URL without the punctuation that follows it. Between brackets, such as those of a Markdown link, the
 * punctuation belongs to the URL.
 */
function cutUrl(match: string, before: string, after: string): string {
  if ((before.endsWith('<') && after === '>') || (/=["']$/.test(before) && before.at(-1) === after)) return match;
  return before.endsWith('](') ? match.slice(0, unopenedBracket(match)) : withoutEndPunctuation(match);
}

/** Returns the position of the first `)` that closes no bracket of the text, or the text's length. */
function unopenedBracket(text: string): number {
  let depth = 0;
  for (const [index, sign] of [...text].entries()) {
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    if (depth < 0) return index;
  }
  return text.length;
}

/**
 * True if the characters after a URL might belong to it.
 *
 * @param before text before the URL; it may open the bracket or quotation that the characters close
 */
function continues(rest: string, before: string): boolean {
  const next = rest.charAt(0);
  if (next === '' || /\s/.test(next)) return false;
  const opener = OPENERS[next] ?? Object.keys(CLOSERS).find((sign) => CLOSERS[sign] === next);
  return !opener || !before.includes(opener);
}

const END_PUNCTUATION = /[.,;:!?'’*_…`|^]/;

/**
 * Removes punctuation after a URL. A closing bracket is kept if the URL contains the opening one:
 * `…/wiki/Rain_(river)`.
 */
function withoutEndPunctuation(url: string): string {
  const count = (part: string) => url.split(part).length;
  const unopened: Record<string, number> = {
    ')': count(')') - count('('),
    ']': count(']') - count('['),
    '}': count('}') - count('{'),
  };
  for (let end = url.length; ; end -= 1) {
    const last = url.charAt(end - 1);
    const left = unopened[last] ?? 0;
    if (left <= 0 && !END_PUNCTUATION.test(last)) return url.slice(0, end);
    unopened[last] = left - 1;
  }
}

/** Finds the URLs in the cells of a table row. If no cell contains a scheme, the first cell that is a URL is used. */
export function findUrlsInRow(cells: string[]): FoundUrls {
  const found = cells.filter((cell) => cell.search(URL_START) !== -1).map(findInLine);
  const urls = found.flatMap((one) => one.urls);
  const bare = urls.length > 0 ? null : cells.map(completeAddress).find((href) => href !== null);
  return { urls: bare ? [bare] : urls, isCertain: found.every((one) => one.isCertain) };
}

/**
 * Splits lines into the cells of a table that was pasted as text. Returns null if the lines are not a table. A list of
 * URLs that contain commas is not a table: at least one cell must be words.
 */
function tableRows(lines: string[]): string[][] | null {
  if (lines.length < 2) return null;
  const shared = ['\t', ';', ','].find((separator) => {
    const counts = new Set(lines.map((line) => splitRow(line, separator).length));
    return counts.size === 1 && !counts.has(1);
  });
  const rows = lines.map((line) => splitRow(line, shared ?? /[\t;,]/.exec(withoutQuoted(line))?.[0] ?? '\t'));
  const isLabeled = rows.slice(rows[0]?.every(isLabel) ? 1 : 0).every(hasLabels);
  const isTable = rows.every(({ length }) => length > 1) && (rows.flat().some(isWords) || isLabeled);
  return isTable ? rows.map((cells) => cells.map((cell) => cell.trim().replace(/^"(.*)"$/s, '$1'))) : null;
}

function splitRow(line: string, separator: string): string[] {
  const cells: string[] = [];
  let isOpen = false;
  for (const part of line.split(separator)) {
    if (isOpen) cells[cells.length - 1] += separator + part;
    else cells.push(part);
    if (part.split('"').length % 2 === 0) isOpen = !isOpen;
  }
  return cells;
}

function withoutQuoted(line: string): string {
  return line.replace(/"[^"]*"/g, '');
}

/** True if a cell cannot be a part of a URL. A number can, such as the coordinates in the URL of a map. */
function isWords(cell: string): boolean {
  const text = cell.trim();
  return /^"/.test(text) || (/\s/.test(text) && !/^[-\d]|:\/\//.test(text));
}

/** True if each cell of a row is a URL or a word, and the row contains both. A number counts only before a URL. */
function hasLabels(cells: string[]): boolean {
  const firstUrl = cells.findIndex(isUrl);
  const isNumber = (cell: string, index: number) => index < firstUrl && /^\d+$/.test(cell.trim());
  const hasOther = firstUrl > 0 || cells.some(isLabel);
  return firstUrl >= 0 && hasOther && cells.every((cell, at) => isUrl(cell) || isLabel(cell) || isNumber(cell, at));
}

function isUrl(cell: string): boolean {
  return /^(?:https?:\/\/|www\.)/i.test(cell.trim());
}

function isLabel(cell: string): boolean {
  return /^\p{L}[\p{L}'’_-]*$/u.test(cell.trim());
}
