import { type Counts, type DayCounts, KINDS, type Kind, ofEachKind } from './daily-counts.ts';
import { addNames, type Names } from './top-values.ts';

/**
 * Whole numbers as short text, one after another without separators: digits of five bits, the lowest first, a sixth bit
 * on each but the last. Every sign is a printable ASCII character, and reading them takes a tenth of the time that
 * reading decimals does.
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

/** The numbers in a part of a text, as `writeNumbers` wrote them. */
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
 * A day's counts as one text: the store reads and writes a link's day as a whole, so a click costs it one row however
 * much is told about it. A line for the form, one for the hours, then for each kind its names with tabs between them, in
 * order, and their counts. So a day is read without a search for its names where they are those of the day before.
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
  // Most days have one name of a kind, which needs no order.
  const sorted = names.size < 2 ? [...names.keys()] : [...names.keys()].sort();
  return `\n${sorted.map(plain).join('\t')}\n${writeNumbers(sorted.map((name) => names.get(name) as number))}`;
}

/** No header has such signs, but version 0.1 might have kept them. */
const plain = (name: string): string => (/[\t\n]/.test(name) ? name.replace(/[\t\n]/g, ' ') : name);

/** A day as it is stored, taken apart as far as adding many of them up needs it. */
export interface OpenDay {
  /** Hour, clicks, visitors and bots, and so on. */
  hours: number[];
  names: Record<Kind, OpenNames>;
}

export interface OpenNames {
  /** The names with tabs between them. */
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
  return { hours: numbers(), names: ofEachKind(names) };
}

/** The hours of a day with what came in each. */
export function hoursOf({ hours }: Pick<OpenDay, 'hours'>): [hour: number, counts: Counts][] {
  const all: [number, Counts][] = [];
  for (let at = 0; at < hours.length; at += HOUR_FIELDS) {
    const [hour = 0, clicks = 0, visitors = 0, bots = 0] = hours.slice(at, at + HOUR_FIELDS);
    all.push([hour, { clicks, visitors, bots }]);
  }
  return all;
}

/** The counts that `writeDay` wrote. */
export function readDay(stored: StoredDay): DayCounts {
  const day = openDay(stored);
  return { hours: new Map(hoursOf(day)), names: ofEachKind((kind) => readNames(day.names[kind])) };
}

function readNames({ line, counts }: OpenNames): Names {
  // A single name may be the empty one, so it is the counts that tell whether there are any.
  return counts.length === 0 ? new Map() : new Map(line.split('\t').map((name, at) => [name, counts[at] as number]));
}

/** JSON, as version 0.1 wrote it, which kept the fifty names told most often of each kind. */
function readFirstForm(text: string): DayCounts {
  const stored = JSON.parse(text) as { hours: [number, number, number, number][] } & Record<Kind, [string, number][]>;
  const hours = new Map(stored.hours.map(([hour, clicks, visitors, bots]) => [hour, { clicks, visitors, bots }]));
  const names = ofEachKind((kind) => {
    const read: Names = new Map();
    addNames(
      read,
      stored[kind].map(([name, clicks]) => [plain(name), clicks]),
    );
    return read;
  });
  return { hours, names };
}
