/// <reference path="./punycode.d.ts" />
import { toUnicode } from 'punycode/punycode.es6.js';

/** Letters of the Latin alphabet that occur in written languages. Phonetic letters are omitted. */
const LATIN = 'a-z\u00df-\u00f6\u00f8-\u017e\u01a1\u01b0\u01cd-\u01dc\u01e4-\u01ef\u01fa-\u021b\u0259\u1e00-\u1eff';

/** Scripts in current use (Unicode Standard Annex 31, table 5), except those that are combined with others. */
const SCRIPTS = [
  ...['Arabic', 'Armenian', 'Bengali', 'Cyrillic', 'Devanagari', 'Ethiopic', 'Georgian', 'Greek', 'Gujarati'],
  ...['Gurmukhi', 'Hebrew', 'Kannada', 'Khmer', 'Lao', 'Malayalam', 'Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu'],
  ...['Thaana', 'Thai', 'Tibetan'],
];

/** Scripts that are written together, and together with Latin letters. */
const COMBINED = [
  ['Han', 'Hiragana', 'Katakana'],
  ['Han', 'Bopomofo'],
  ['Han', 'Hangul'],
];

const charactersOf = (script: string) => `\\p{scx=${script}}`;

/** Characters that one label of a host name may mix. Browsers show a label with other mixtures as `xn--…`. */
const UNMIXED = [
  LATIN,
  ...SCRIPTS.map(charactersOf),
  ...COMBINED.map((scripts) => LATIN + scripts.map(charactersOf).join('')),
];

/** Patterns of `UNMIXED`. They are created when first needed, because they take 1 ms of the start of the worker. */
let unmixed: RegExp[] | null = null;

function isUnmixed(label: string): boolean {
  unmixed ??= UNMIXED.map((characters) => new RegExp(`^[${characters}0-9-]+$`, 'u'));
  return unmixed.some((pattern) => pattern.test(label));
}

/** Characters that look like a slash next to Latin letters. */
const SLASH_NEXT_TO_LATIN = /[a-z0-9-][ノソゾン丶乀乁丿]|[ノソゾン丶乀乁丿][a-z0-9-]/u;

/** Labels whose letters all look like Latin letters. They are readable only below a domain in the same script. */
const LATIN_LOOK_ALIKES: [letters: RegExp, script: RegExp][] = [
  [/^[аысԁеԍһіюјӏорԗԛѕԝхуъьҽпгѵѡ0-9-]+$/u, /\p{scx=Cyrillic}/u],
  [/^[αικνρυωηοτγ0-9-]+$/u, /\p{scx=Greek}/u],
  [/^[ագզէլհյոսւօ0-9-]+$/u, /\p{scx=Armenian}/u],
];

/**
 * Returns a host with its international labels in readable form (`kürz.example`). Like a browser, leaves a label as
 * `xn--…` if it could be mistaken for another name, because it mixes scripts or imitates Latin letters.
 *
 * @param host host with an optional port, as in `URL.host`
 */
export function readableHost(host: string): string {
  if (!host.includes('xn--')) return host;
  const labels = host.split('.');
  const top = readableLabel(labels.at(-1) ?? '');
  const readable = labels.map((label) => readableLabel(label, top)).join('.');
  return URL.parse(`http://${readable}`)?.host === URL.parse(`http://${host}`)?.host ? readable : host;
}

/** @param top top-level domain of the host */
function readableLabel(label: string, top = label): string {
  const [, encoded = '', port = ''] = /^(xn--[^:]*)(:\d+)?$/.exec(label) ?? [];
  if (encoded === '') return label;
  const text = decoded(encoded);
  const isMixed = !isUnmixed(text) || SLASH_NEXT_TO_LATIN.test(text);
  const imitates = LATIN_LOOK_ALIKES.some(([letters, script]) => letters.test(text) && !script.test(top));
  return isMixed || imitates ? label : text + port;
}

function decoded(label: string): string {
  try {
    return toUnicode(label);
  } catch {
    // The label is not valid Punycode.
    return '';
  }
}

/** Returns a web URL with its host in readable form. Returns any other text unchanged. */
export function readableUrl(text: string): string {
  if (!text.includes('xn--')) return text;
  const url = URL.parse(text);
  const start = `${url?.protocol}//`;
  if (!url || !/^https?:$/.test(url.protocol) || !text.startsWith(start + url.host)) return text;
  return start + readableHost(url.host) + text.slice(start.length + url.host.length);
}

/**
 * Splits a URL into its host and the rest, both in readable form. Omits `http://` or `https://`, and a path that is only a
 * slash. Returns null if the text is not a web URL.
 */
export function readableParts(text: string): { host: string; rest: string } | null {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  const rest = decodedPath(url.pathname + url.search + url.hash);
  return { host: readableHost(url.host), rest: rest === '/' ? '' : rest };
}

/**
 * Decodes the percent-escapes in a URL path for display, except those of spaces and invisible characters. Returns the
 * path unchanged if it cannot be decoded.
 */
function decodedPath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path).replace(/[\p{C}\p{Z}]/gu, encodeURIComponent);
  } catch {
    return path;
  }
}

/**
 * Returns the host that a user or a program named, as in `URL.host`: in lower case, and international labels as
 * `xn--…`. Returns null if the text is not a host with an optional port.
 */
export function asciiHost(text: string): string | null {
  if (/[\s/\\?#@]/.test(text)) return null;
  return URL.parse(`https://${text}`)?.host || null;
}
