import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkHistory } from '../../../scripts/check-request-history.ts';

type Line = { event: string; [field: string]: unknown };

const TODAY = '2026-11-23';
const TOMORROW = '2026-11-24';
const url = (request: string, at = 1) => `https://example.com/${request}/${at}`;

/** Creates lines of a run. `end` gets the number of lines, unless a test changes it. */
function history(lines: Line[]): string {
  const all = [{ event: 'start', service: 'sqlite', seed: 1, quotas: { small: 2 } }, ...lines, { event: 'end' }];
  const complete = all.map((line) => ({ day: TODAY, ...(line.event === 'end' && { lines: all.length }), ...line }));
  return complete.map(({ event, ...line }) => `${JSON.stringify({ event, time: 0, ...line })}\n`).join('');
}

const invoke = (call: number, request: string, count = 1): Line => {
  const urls = Array.from({ length: count }, (_, at) => url(request, at + 1));
  return { event: 'invoke', call, client: 'a', type: 'create', key: 'small', request, urls };
};
const ok = (call: number, ...codes: string[]): Line => ({ event: 'ok', call, codes });
const unknown = (call: number): Line => ({ event: 'unknown', call });
const refused = (call: number, status = 429, error = 'quota_exceeded'): Line => ({
  event: 'fail',
  call,
  status,
  error,
});
const TARGETS: Record<string, string> = { aaa: url('one'), bbb: url('two'), ccc: url('two', 2), 'code-1': url('r1') };
const click = (call: number, code: string, event: string, location = TARGETS[code]): Line[] => [
  { event: 'invoke', call, client: 'b', type: 'click', code },
  { event, call, ...(event === 'ok' && { location }) },
];
const link = (request: string, code: string, clicks: number, at = 1) => ({ code, url: url(request, at), clicks });
const read = (...links: unknown[]): Line[] => [
  { event: 'invoke', call: 99, client: 'reader', type: 'read' },
  { event: 'ok', call: 99, links },
];
const on = (day: string, ...lines: Line[]): Line[] => lines.map((line) => ({ ...line, day }));

/** Two accepted requests, one of them sent twice, with three answered clicks and one unknown click. */
const CALLS = [
  invoke(1, 'one'),
  unknown(1),
  invoke(2, 'one'),
  ok(2, 'aaa'),
  invoke(3, 'two', 2),
  ok(3, 'bbb', 'ccc'),
  ...click(4, 'aaa', 'ok'),
  ...click(5, 'aaa', 'unknown'),
  ...click(6, 'bbb', 'ok'),
  ...click(7, 'bbb', 'ok'),
];
const LINKS = [link('one', 'aaa', 1), link('two', 'bbb', 2), link('two', 'ccc', 0, 2)] as const;
const GOOD = [...CALLS, ...read(...LINKS)];

const rulesOf = (text: string) => [...new Set(checkHistory(text).violations.map((line) => line.split(':')[0]))];

test('a history without violations passes, and its figures are shown', () => {
  expect(checkHistory(history(GOOD))).toEqual({
    violations: [],
    summary: ['Run 1, sqlite, seed 1: calls: 6 ok, 0 fail, 2 unknown; 0 faults; 3 links accepted, 0 unknown, 3 exist'],
  });
});

test('a call with an unknown result passes with and without an effect, and a refused call without one', () => {
  const [first] = LINKS;
  const more = [...CALLS.slice(0, 4), ...CALLS.slice(6), invoke(8, 'three'), unknown(8), invoke(10, 'two')];
  const clicked = [
    ...more,
    ok(10, 'bbb'),
    invoke(9, 'four'),
    refused(9),
    invoke(11, 'five'),
    refused(11, 429, 'throttled'),
  ];
  for (const three of [[], [link('three', 'ddd', 0)]]) {
    for (const clicks of [1, 2]) {
      const links = [{ ...first, clicks }, link('two', 'bbb', 2), ...three];
      const lines = [...clicked, ...read(...links)];
      expect(rulesOf(history(lines).replace('"small":2', '"small":3'))).toEqual([]);
    }
  }
});

describe('a broken rule is reported', () => {
  const [one, two, three] = LINKS;
  test.each<[rule: string, what: string, lines: Line[]]>([
    ['links', 'an accepted link is missing', [...CALLS, ...read(one, three)]],
    ['links', 'a link exists that nobody asked for', [...CALLS, ...read(...LINKS, link('three', 'ddd', 0))]],
    [
      'links',
      'a refused request made a link',
      [...CALLS, invoke(8, 'no'), refused(8), ...read(...LINKS, link('no', 'ddd', 0))],
    ],
    [
      'links',
      'two links have the same code',
      [...CALLS, invoke(8, 'un'), ok(8, 'ccc'), ...read(...LINKS, link('un', 'ccc', 0))],
    ],
    [
      'links',
      'a click was redirected to another address',
      [...CALLS, ...click(8, 'ccc', 'ok', url('one')), ...read(one, two, { ...three, clicks: 1 })],
    ],
    ['links', 'a click on no link was redirected', [...CALLS, ...click(8, 'zzz', 'ok', url('one')), ...read(...LINKS)]],
    [
      'refusals',
      'an API key was refused',
      [...CALLS, invoke(8, 'un'), refused(8, 401, 'unauthorized'), ...read(...LINKS)],
    ],
    [
      'refusals',
      'a request was refused after it was accepted',
      [...CALLS, invoke(8, 'one'), refused(8, 429, 'throttled'), ...read(...LINKS)],
    ],
    [
      'refusals',
      'a quota was used up too early',
      [...CALLS.slice(0, 4), ...CALLS.slice(6, 10), invoke(8, 'un'), refused(8), ...read({ ...one, clicks: 2 })],
    ],
    ['links', 'a click on an existing link failed', [...CALLS, ...click(8, 'ccc', 'fail'), ...read(...LINKS)]],
    [
      'one-link-per-request',
      'an accepted request made two links',
      [...CALLS, ...read(...LINKS, link('one', 'ddd', 0))],
    ],
    [
      'quota',
      'a third request was accepted on the same day',
      [...CALLS, invoke(8, 'un'), ok(8, 'ddd'), ...read(...LINKS, link('un', 'ddd', 0))],
    ],
    ['clicks', 'an answered click was not counted', [...CALLS, ...read(one, { ...two, clicks: 1 }, three)]],
    ['clicks', 'an unknown click was counted twice', [...CALLS, ...read({ ...one, clicks: 3 }, two, three)]],
  ])('%s: %s', (rule, _what, lines) => {
    expect(rulesOf(history(lines))).toContain(rule);
  });
});

describe('the quota', () => {
  const made = (number: number) => [invoke(number, `r${number}`), ok(number, `code-${number}`)];
  const reading = (count: number) => [
    ...click(50, 'code-1', 'ok'),
    ...read(...Array.from({ length: count }, (_, at) => link(`r${at + 1}`, `code-${at + 1}`, at === 0 ? 1 : 0))),
  ];

  test('starts again with each day of the service', () => {
    const lines = [...made(1), ...made(2), ...on(TOMORROW, ...made(3), ...made(4), ...reading(4))];
    expect(rulesOf(history(lines))).toEqual([]);
    const five = [...made(1), ...made(2), ...on(TOMORROW, ...made(3), ...made(4), ...made(5), ...reading(5))];
    expect(checkHistory(history(five)).violations).toEqual([
      `quota: Run 1: Key small made 5 requests from ${TODAY} to ${TOMORROW}, but may make 4.`,
      `quota: Run 1: Key small made 3 requests from ${TOMORROW} to ${TOMORROW}, but may make 2.`,
    ]);
  });

  test('of the next day is used after the clock was set back', () => {
    const back = (...numbers: number[]) => [
      ...made(1),
      ...made(2),
      ...on(TOMORROW, ...made(3)),
      ...numbers.flatMap(made),
      ...reading(numbers.length + 3),
    ];
    expect(rulesOf(history(back(4)))).toEqual([]);
    expect(rulesOf(history(back(4, 5)))).toEqual(['quota']);
  });

  test('of either day is used by a request that took place around midnight', () => {
    const around = (...more: number[]) => [
      invoke(1, 'r1'),
      invoke(2, 'r2'),
      ...made(3),
      ...made(4),
      ...on(TOMORROW, ok(1, 'code-1'), ok(2, 'code-2'), ...more.flatMap(made), ...reading(more.length + 4)),
    ];
    expect(rulesOf(history(around()))).toEqual([]);
    expect(rulesOf(history(around(5)))).toEqual(['quota']);
  });
});

describe('a history does not pass if', () => {
  const good = history(GOOD);
  const lines = good.split('\n').slice(0, -1);
  test.each<[what: string, text: string]>([
    ['it is empty', ''],
    [
      'no request was accepted',
      history([invoke(1, 'one'), refused(1), ...click(2, 'aaa', 'ok'), ...read(link('x', 'aaa', 1))]),
    ],
    ['no click was answered', history([...CALLS.slice(0, 6), ...read(...LINKS)])],
    ['its last reading is missing', history(CALLS)],
    ['its last reading has no clicks', history([...CALLS, ...read(...LINKS.map(({ code, url }) => ({ code, url })))])],
    ['a call follows its last reading', history([...GOOD, ...click(100, 'aaa', 'ok')])],
    ['a call has no end', history([invoke(8, 'two'), ...GOOD])],
    ['a call has no start', history([...CALLS, ok(77, 'aaa'), ...read(...LINKS)])],
    ['an answer has no codes', history([...CALLS, invoke(8, 'one'), { event: 'ok', call: 8 }, ...read(...LINKS)])],
    ['a key has no quota', good.replace('"small":2', '"other":2')],
    ['a line has no day', good.replace(`"day":"${TODAY}",`, '')],
    ['a line is not JSON', good.replace('"codes"', 'codes')],
    ['its second run is cut off', good + good.slice(0, -50)],
  ])('%s', (_what, text) => {
    expect(rulesOf(text)).toEqual(['format']);
  });

  test('any line is missing, or the rest after any line', () => {
    for (const [at] of lines.entries()) {
      expect(rulesOf(`${lines.toSpliced(at, 1).join('\n')}\n`)).toContain('format');
      expect(rulesOf(lines.slice(0, at).join('\n'))).toContain('format');
    }
    for (let length = 0; length < good.length; length += 1) expect(rulesOf(good.slice(0, length))).toContain('format');
  });
});

test('the checker has fewer than 150 lines and imports no code of the project', () => {
  const code = readFileSync('scripts/check-request-history.ts', 'utf8');
  expect(code.trimEnd().split('\n').length).toBeLessThan(150);
  expect(code.match(/\bfrom '.*'|import\(|require\(/g)).toEqual(["from 'node:assert'", "from 'node:fs'"]);
});
