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
const refused = (call: number, status = 429, error = 'quota_exceeded') => ({ event: 'fail', call, status, error });
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
  const [one, ...others] = LINKS;
  const more = [invoke(8, 'three'), unknown(8), invoke(9, 'four'), refused(9), invoke(10, 'five'), refused(10)];
  for (const three of [[], [link('three', 'ddd', 0)]]) {
    for (const clicks of [1, 2]) {
      const text = history([...CALLS, ...more, ...read({ ...one, clicks }, ...others, ...three)]);
      expect(rulesOf(text.replace('"small":2', '"small":3').replace('quota_exceeded', 'throttled'))).toEqual([]);
    }
  }
});

describe('a broken rule is reported', () => {
  const [one, two, three] = LINKS;
  const fourth = (request: string) => [...LINKS, link(request, 'ddd', 0)];
  const misled = click(8, 'ccc', 'ok', url('one'));
  const clicked = { ...three, clicks: 1 };
  test.each<[rule: string, what: string, calls: Line[], links: unknown[]]>([
    ['links', 'an accepted link is missing', [], [one, three]],
    ['links', 'a link exists that nobody asked for', [], fourth('three')],
    ['links', 'a refused request made a link', [invoke(8, 'no'), refused(8)], fourth('no')],
    ['links', 'two links have the same code', [invoke(8, 'un'), ok(8, 'ccc')], [...LINKS, link('un', 'ccc', 0)]],
    ['links', 'a click was redirected to another address', misled, [one, two, clicked]],
    ['links', 'a click on no link was redirected', click(8, 'zzz', 'ok', url('one')), [...LINKS]],
    ['links', 'a click on an existing link failed', click(8, 'ccc', 'fail'), [...LINKS]],
    ['refusals', 'an API key was refused', [invoke(8, 'un'), refused(8, 401, 'unauthorized')], [...LINKS]],
    ['refusals', 'a request was refused after it was accepted', [invoke(8, 'one'), refused(8, 429, 'x')], [...LINKS]],
    ['one-link-per-request', 'an accepted request made two links', [], fourth('one')],
    ['quota', 'a third request was accepted on the same day', [invoke(8, 'un'), ok(8, 'ddd')], fourth('un')],
    ['clicks', 'an answered click was not counted', [], [one, { ...two, clicks: 1 }, three]],
    ['clicks', 'an unknown click was counted twice', [], [{ ...one, clicks: 3 }, two, three]],
  ])('%s: %s', (rule, _what, calls, links) => {
    expect(rulesOf(history([...CALLS, ...calls, ...read(...links)]))).toContain(rule);
  });

  test('refusals: a quota was used up too early', () => {
    const lines = [invoke(2, 'one'), ok(2, 'aaa'), ...click(4, 'aaa', 'ok'), invoke(8, 'un'), refused(8), ...read(one)];
    expect(rulesOf(history(lines))).toEqual(['refusals']);
  });
});

describe('the quota', () => {
  const made = (...numbers: number[]) => numbers.flatMap((at) => [invoke(at, `r${at}`), ok(at, `code-${at}`)]);
  const reading = (count: number) => [
    ...click(50, 'code-1', 'ok'),
    ...read(...Array.from({ length: count }, (_, at) => link(`r${at + 1}`, `code-${at + 1}`, at === 0 ? 1 : 0))),
  ];

  test('starts again with each day of the service', () => {
    const days = (...second: number[]) =>
      checkHistory(history([...made(1, 2), ...on(TOMORROW, ...made(...second), ...reading(second.length + 2))]));
    expect(days(3, 4).violations).toEqual([]);
    expect(days(3, 4, 5).violations).toEqual([
      `quota: Run 1: Key small made 5 requests from ${TODAY} to ${TOMORROW}, but may make 4.`,
      `quota: Run 1: Key small made 3 requests from ${TOMORROW} to ${TOMORROW}, but may make 2.`,
    ]);
  });

  test('of the next day is used after the clock was set back', () => {
    const back = (...numbers: number[]) =>
      history([...made(1, 2), ...on(TOMORROW, ...made(3)), ...made(...numbers), ...reading(numbers.length + 3)]);
    expect(rulesOf(back(4))).toEqual([]);
    expect(rulesOf(back(4, 5))).toEqual(['quota']);
  });

  test('of either day is used by a request that took place around midnight', () => {
    const around = (...more: number[]) => {
      const answers = [ok(1, 'code-1'), ok(2, 'code-2'), ...made(...more), ...reading(more.length + 4)];
      return history([invoke(1, 'r1'), invoke(2, 'r2'), ...made(3, 4), ...on(TOMORROW, ...answers)]);
    };
    expect(rulesOf(around())).toEqual([]);
    expect(rulesOf(around(5))).toEqual(['quota']);
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
