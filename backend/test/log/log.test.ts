import { connect, type LookupFunction } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog, createThrottledLog } from '../../src/log/log.ts';
import { StoreFull, StoreUnavailable } from '../../src/store/store-errors.ts';

const lines = (...errors: unknown[]): string[] => {
  const written: string[] = [];
  const log = createLog(
    () => 0,
    (line) => written.push(line),
  );
  for (const error of errors) log('error', 'it failed', { error });
  return written;
};
const errorIn = (error: unknown): string => JSON.parse(lines(error)[0] ?? '').error;

/** Node's error for a refused connection to a host with several addresses: an AggregateError without a message. */
const refused = () =>
  new Promise<Error>((resolve) => {
    connect({ port: 1, host: 'localhost', autoSelectFamily: true, lookup: both }).on('error', resolve);
  });
const both: LookupFunction = (_host, _options, found) =>
  found(null, [
    { address: '127.0.0.1', family: 4 },
    { address: '127.0.0.2', family: 4 },
  ]);

describe('the log', () => {
  it('contains the error and all its causes', () => {
    const text = errorIn(new StoreUnavailable(new Error('no room', { cause: new Error('too many connections') })));
    expect(text).toMatch(/^StoreUnavailable: The database is unreachable at the moment\.\n +at /);
    expect(text).toMatch(/\[cause\]: Error: no room\n[\s\S]*\[cause\]: Error: too many connections\n/);
  });

  it('first names a full disk', () => {
    const text = errorIn(new StoreFull(new Error('database or disk is full')));
    expect(text).toMatch(/^StoreFull: The disk of the database is full, so nothing can be saved\.\n +at /);
    expect(text).not.toContain('unreachable');
  });

  it('contains every part of an AggregateError', async () => {
    const text = errorIn(new StoreUnavailable(await refused()));
    expect(text).toContain('connect ECONNREFUSED 127.0.0.1:1');
    expect(text).toContain('connect ECONNREFUSED 127.0.0.2:1');
  });

  it('contains errors that are text or any other value', () => {
    expect(errorIn('StoreUnavailable: text of another thread')).toBe('StoreUnavailable: text of another thread');
    expect(errorIn(undefined)).toBeUndefined();
    expect(errorIn(null)).toBe('null');
    expect(errorIn({ code: 'X' })).toBe("{ code: 'X' }");
  });

  it('has times in UTC', () => {
    expect(JSON.parse(lines('x')[0] ?? '')).toMatchObject({ time: '1970-01-01T00:00:00.000Z', level: 'error' });
  });

  it('is one line for any error text', () => {
    const hostile = 'a\nb\r\n{"level":"info"}\u2028c\u2029d\u0085e';
    const written = lines(new Error(hostile, { cause: new Error(hostile) }), hostile);
    expect(written).toHaveLength(2);
    for (const line of written) expect(line.split(/[\n\r\u2028\u2029\u0085]/)).toEqual([expect.any(String), '']);
    expect(JSON.parse(written[1] ?? '').error).toBe(hostile);
  });

  it.each([
    'postgres://me:sec-ret@db.example/terse',
    'postgresql://me:sec/r@et@/terse?host=/run/pg',
    'postgres://me@db.example/terse?password=sec-ret&x=1',
    'host=db.example user=me password=sec-ret',
  ])('contains no password if an error quotes %s', (url) => {
    const error = new Error(`cannot parse ${url}`, { cause: new AggregateError([new Error(url)], url) });
    for (const text of [errorIn(error), errorIn(`cannot parse ${url}`)]) expect(text).not.toMatch(/sec|ret|r@et/);
    expect(errorIn(`cannot parse ${url}`)).toMatch(/^cannot parse (postgres(ql)?:\/\/me|host=db\.example user=me)/);
  });
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('the first event, also after a pause, is logged at once, and later events as a count', () => {
  const logged: unknown[][] = [];
  const throttled = createThrottledLog(60_000, (...one) => logged.push(one));
  const happen = (times: number, reason: string) => {
    for (let index = 0; index < times; index += 1) throttled.add(1, reason);
  };
  happen(1000, 'first');
  expect(logged.splice(0)).toEqual([[1, 'first']]);
  happen(5, 'second');
  vi.advanceTimersByTime(60_000);
  expect(logged.splice(0)).toEqual([[1004, 'second']]);
  happen(2, 'third');
  vi.advanceTimersByTime(60_000);
  expect(logged.splice(0)).toEqual([[2, 'third']]);
  vi.advanceTimersByTime(60_000);
  happen(1, 'fourth');
  expect(logged.splice(0)).toEqual([[1, 'fourth']]);
});

it('a flush logs the events that were not logged yet', () => {
  const logged: unknown[][] = [];
  const throttled = createThrottledLog(60_000, (...one) => logged.push(one));
  throttled.add(3, 'a');
  throttled.add(4, 'b');
  throttled.flush();
  throttled.flush();
  expect(logged).toEqual([
    [3, 'a'],
    [4, 'b'],
  ]);
});
