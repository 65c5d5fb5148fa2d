import { type Counts, type DayCounts, forEachKind, KINDS, type Kind } from './daily-counts.ts';
import { addNames, type Names } from './top-values.ts';

/**
 * Character code for the digit 0 in the base-32 format of stored integers. Decoding this format is ten times faster
 * than parsing decimal numbers. If another digit of the same number follows, 32 is added to the character code.
 */
const FIRST_SIGN = 48;
const BASE = 32;

export function writeNumbers(numbers: Iterable<number>): string {
  let text = '';
  for (let number of numbers) {
    while (number >= BASE) {
      text += String.fromCharCode(FIRST_SIGN + BASE + (number % BASE));
      number = Math.floor(number / BASE);
    }
    text += String.fromCharCode(FIRST_SIGN + number);
  }
  return text;
}

export function readNumbers(text: string, from: number, to: number): number[] {
  const numbers: number[] = [];
  let number = 0;
  let weight = 1;
  for (let at = from; at < to; at += 1) {
    const digit = text.charCodeAt(at) - FIRST_SIGN;
    if (digit >= BASE) {
      number += (digit - BASE) * weight;
      weight *= BASE;
    } else {
      numbers.push(number + digit * weight);
      number = 0;
      weight = 1;
    }
  }
  return numbers;
}

/**
 * Click counts of one link on one day as text, which fits into a single database row. The first line is the version
 * of the format, and the second line contains the counts per hour. Two lines follow for each property, such as the
 * browser: one with the sorted names, and one with their counts. The line with the names is often the same as on the
 * previous day. In this case, it is not parsed again.
 */
export type StoredDay = string;

const FORM = '2';
const HOUR_FIELDS = 4;

export function writeDay({ hours, names }: DayCounts): StoredDay {
  const numbers: number[] = [];
  for (const [hour, { clicks, visitors, bots }] of hours) numbers.push(hour, clicks, visitors, bots);
  let text = `${FORM}\n${writeNumbers(numbers)}`;
  for (const kind of KINDS) text += writeNames(names[kind]);
  return text;
}

function writeNames(names: Names): string {
  const sorted = names.size < 2 ? [...names.keys()] : [...names.keys()].sort();
  return `\n${sorted.map(plain).join('\t')}\n${writeNumbers(sorted.map((name) => names.get(name) as number))}`;
}

/** Replaces tabs and line breaks in a name, because these characters are separators in the stored text. */
const plain = (name: string): string => (/[\t\n]/.test(name) ? name.replace(/[\t\n]/g, ' ') : name);

/**
 * Click counts of one day. Lists of names, such as browsers, remain unparsed text, because equal texts can be
 * compared quickly.
 */
export interface OpenDay {
  /** Four numbers for each hour: the hour, clicks, visitors and bots. */
  hours: number[];
  names: Record<Kind, OpenNames>;
}

export interface OpenNames {
  line: string;
  counts: number[];
}

export function openDay(stored: StoredDay): OpenDay {
  const text = stored.startsWith('{') ? writeDay(readFirstForm(stored)) : stored;
  let end = FORM.length;
  const nextLine = () => {
    const start = end + 1;
    const found = text.indexOf('\n', start);
    end = found === -1 ? text.length : found;
    return start;
  };
  const numbers = () => readNumbers(text, nextLine(), end);
  const names = (): OpenNames => ({ line: text.slice(nextLine(), end), counts: numbers() });
  return { hours: numbers(), names: forEachKind(names) };
}

export function hoursOf({ hours }: Pick<OpenDay, 'hours'>): [hour: number, counts: Counts][] {
  const all: [number, Counts][] = [];
  for (let at = 0; at < hours.length; at += HOUR_FIELDS) {
    const [hour = 0, clicks = 0, visitors = 0, bots = 0] = hours.slice(at, at + HOUR_FIELDS);
    all.push([hour, { clicks, visitors, bots }]);
  }
  return all;
}

export function readDay(stored: StoredDay): DayCounts {
  const day = openDay(stored);
  return { hours: new Map(hoursOf(day)), names: forEachKind((kind) => readNames(day.names[kind])) };
}

function readNames({ line, counts }: OpenNames): Names {
  // The line is also empty if the only name is an empty string, so `counts` is checked instead.
  return counts.length === 0 ? new Map() : new Map(line.split('\t').map((name, at) => [name, counts[at] as number]));
}

/** Decodes the JSON format of version 0.1, which stored the fifty most frequent names of each property. */
function readFirstForm(text: string): DayCounts {
  const stored = JSON.parse(text) as { hours: [number, number, number, number][] } & Record<Kind, [string, number][]>;
  const hours = new Map(stored.hours.map(([hour, clicks, visitors, bots]) => [hour, { clicks, visitors, bots }]));
  const names = forEachKind((kind) => {
    const read: Names = new Map();
    addNames(
      read,
      stored[kind].map(([name, clicks]) => [plain(name), clicks]),
    );
    return read;
  });
  return { hours, names };
}
