import { beforeEach, describe, expect, test, vi } from 'vitest';
import { refusalOf } from '../../../src/background/wishes.ts';
import { answered, created, fullService, refused, specOnly } from '../queue/given.ts';
import { freshDisk } from '../support/disk.ts';
import { aWish, connected, Life } from './life.ts';

vi.mock('webextension-polyfill', () => import('../support/fake-browser.ts'));

beforeEach(freshDisk);

const OK = { ok: true, value: null };

describe('a wish to shorten', () => {
  test('is answered once it is on disk, and sets the queue going', async () => {
    const life = await connected();
    expect(await life.wishes.shorten(aWish('request-a'))).toEqual(OK);
    expect(await new Life().requests()).toMatchObject([{ id: 'request-a', state: 'waiting' }]);
    expect(life.moves).toBe(1);
  });

  test('uttered twice is accepted once, even after it has ended in a link', async () => {
    const life = await connected();
    await life.accept('request-a', 'request-a');
    expect(await life.requests()).toHaveLength(1);
    await life.runOut();
    expect(await life.wishes.shorten(aWish('request-a'))).toEqual(OK);
    expect(await life.requests()).toEqual([]);
  });

  test('gets a key of its own', async () => {
    const life = await connected();
    await life.accept('request-a', 'request-b');
    const keys = (await life.requests()).map(({ idempotencyKey }) => idempotencyKey);
    expect(new Set(keys).size).toBe(2);
  });

  test('that is refused leaves nothing and moves nothing', async () => {
    const life = new Life();
    expect(await life.wishes.shorten(aWish('request-a'))).toEqual({ ok: false, code: 'no_connection' });
    expect(await life.requests()).toEqual([]);
    expect(life.moves).toBe(0);
  });
});

describe('a URL', () => {
  test.each([
    ['https://x.example/', null],
    ['http://x.example/', null],
    ['https://s.example.com/abc', null],
    ['https://s.example/abc', 'own_short_link'],
    ['chrome://settings', 'not_shortenable'],
    ['file:///etc/passwd', 'not_shortenable'],
    ['javascript:alert(1)', 'not_shortenable'],
    ['about:blank', 'not_shortenable'],
    ['not a url', 'not_shortenable'],
    ['', 'not_shortenable'],
  ])('%j is refused as %s', (url, code) => {
    expect(refusalOf(url, fullService())).toBe(code);
  });

  test('of the service cannot be told where it does not say where its short URLs live', () => {
    expect(refusalOf('https://s.example/abc', specOnly)).toBeNull();
  });
});

describe('giving up', () => {
  test('takes what waits off the queue', async () => {
    const life = await connected();
    await life.accept('request-a', 'request-b');
    expect(await life.wishes.cancel('request-a')).toEqual(OK);
    expect(await life.requests()).toMatchObject([{ id: 'request-b' }]);
  });

  test('comes too late for what is being sent', async () => {
    const life = await connected();
    await life.accept('request-a');
    life.send = async () => {
      expect(await life.wishes.cancel('request-a')).toEqual({ ok: false, code: 'too_late' });
      return answered([created()]);
    };
    await life.pump.run();
    expect(await life.links()).toEqual(['request-a']);
  });

  test('what is not there is done already', async () => {
    expect(await (await connected()).wishes.cancel('nowhere-to-be-found')).toEqual(OK);
  });
});

test('trying again sends what failed once more', async () => {
  const life = await connected();
  await life.accept('request-a');
  life.send = async () => answered([refused('unauthorized')]);
  await life.pump.run();
  life.send = async () => answered([created()]);
  expect(await life.wishes.retry('request-a')).toEqual(OK);
  await life.runOut();
  expect(await life.links()).toEqual(['request-a']);
  expect(life.sent[1]?.idempotencyKey).not.toBe(life.sent[0]?.idempotencyKey);
});
