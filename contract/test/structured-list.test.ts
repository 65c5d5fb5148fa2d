import * as fc from 'fast-check';
import { type BareItem, type InnerList, type Item, parseList, serializeList, Token } from 'structured-headers';
import { describe, expect, test } from 'vitest';
import { namedItems } from '../src/structured-list.ts';

// Read by a known library as well: both must find the same.

/** The printable characters of ASCII: what a field can hold. */
const ascii = (least: string, most: string) =>
  fc.integer({ min: least.charCodeAt(0), max: most.charCodeAt(0) }).map((code) => String.fromCharCode(code));
const string = fc.string({ unit: ascii(' ', '~'), maxLength: 6 });
const key = fc.stringMatching(/^[a-z*][a-z0-9_.*-]{0,3}$/);
const plainValue = fc.oneof(
  string,
  fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }),
  fc.integer({ min: -999_999, max: 999_999 }).map((thousandths) => thousandths / 1000),
  fc.boolean(),
  fc.stringMatching(/^[A-Za-z*][A-Za-z0-9:/!#$%&'*+.^_`|~-]{0,4}$/).map((token) => new Token(token)),
);
const bytes = fc.uint8Array({ maxLength: 5 }).map((array) => new Uint8Array(array).buffer);

function listOf(value: fc.Arbitrary<BareItem>): fc.Arbitrary<(Item | InnerList)[]> {
  const parameters = fc
    .array(fc.tuple(fc.oneof(fc.constantFrom('q', 'w'), key), value), { maxLength: 4 })
    .map((all) => new Map(all));
  const item: fc.Arbitrary<Item> = fc.tuple(fc.oneof(string, value), parameters);
  const innerList: fc.Arbitrary<InnerList> = fc.tuple(fc.array(item, { maxLength: 3 }), parameters);
  return fc.array(fc.oneof({ weight: 3, arbitrary: item }, { weight: 1, arbitrary: innerList }), { maxLength: 4 });
}

const plainList = listOf(plainValue);

/** What the library finds, told as `namedItems` tells it. */
function read(list: string): unknown {
  try {
    return parseList(list).flatMap(([name, parameters]) =>
      typeof name === 'string' ? [{ name, numbers: numbersOf([...parameters]) }] : [],
    );
  } catch {
    return [];
  }
}

/** What is no number is told as NaN. */
function numbersOf(parameters: [string, unknown][]) {
  return new Map(parameters.map(([key, value]) => [key, typeof value === 'number' ? value : Number.NaN]));
}

function readHere(list: string): unknown {
  return namedItems(list).map(({ name, numbers }) => ({ name: name.replace(/\\(.)/g, '$1'), numbers }));
}

describe('lists are read as the library reads them', () => {
  test('well-formed ones of every kind of value', () => {
    fc.assert(
      fc.property(listOf(fc.oneof(plainValue, bytes)), (list) => {
        const text = serializeList(list);
        expect(readHere(text), text).toEqual(read(text));
      }),
      { numRuns: 2_000 },
    );
  });

  test('those with a few characters put in, taken out or changed', () => {
    const change = fc.tuple(
      fc.nat(),
      fc.nat({ max: 2 }),
      fc.oneof(fc.constantFrom('', ' ', '\t', '"', '\\', ';', ',', '(', ')', '=', '-', '.', '?', 'é'), ascii('!', '~')),
    );
    const changed = fc.tuple(plainList, fc.array(change, { minLength: 1, maxLength: 3 })).map(([list, changes]) =>
      changes.reduce((text, [at, removed, added]) => {
        const index = at % (text.length + 1);
        return text.slice(0, index) + added + text.slice(index + removed);
      }, serializeList(list)),
    );
    // Byte sequences, dates and display strings have tests of their own: the library takes some for what they are not.
    fc.assert(
      fc.property(
        changed.filter((text) => !/[@%:]/.test(text)),
        (text) => {
          expect(readHere(text), text).toEqual(read(text));
        },
      ),
      { numRuns: 5_000 },
    );
  });

  test.each([
    '',
    '  ',
    ' "a";q=1 ',
    '"a";q=1\t,\t"b"',
    '"a",',
    '"a" "b"',
    '"a";q=1;q=2',
    '"a";q=1;q',
    '"a";q="1;w=2"',
    '"a"; q=1',
    '"a" ;q=1',
    '"a";Q=1',
    '("a";q=1 "b");w=2, "c";q=3',
    '("a""b")',
    '(  )',
    '"a";q=1234567890123456',
    '"a";q=123456789012.345',
    '"a";q=1234567890123.4',
    '"a";q=1.2345',
    '"a";q=1.',
    '"a";q=-',
    '"a";q=Infinity',
    '"a\\"b\\\\c";q=1',
    '"a\\b"',
    '"é"',
    'a=1',
  ])('%j', (text) => {
    expect(readHere(text)).toEqual(read(text));
  });
});

test.each(['@1659578233', '@-1', '%"f%c3%bc"', ':aGk=:'])('a parameter %s is no number, and does no harm', (value) => {
  expect(namedItems(`"a";x=${value};q=1, "b";q=2`)).toEqual([
    {
      name: 'a',
      numbers: new Map([
        ['x', Number.NaN],
        ['q', 1],
      ]),
    },
    { name: 'b', numbers: new Map([['q', 2]]) },
  ]);
});
