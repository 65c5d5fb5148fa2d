import { beforeEach, describe, expect, test, vi } from 'vitest';
import { forgetPrivate } from '../../../src/background/private-windows.ts';
import { readViewHere } from '../../../src/storage/read.ts';
import { anAttempt, answered, created, refused } from '../queue/given.ts';
import { freshDisk } from '../support/disk.ts';
import { browser } from '../support/fake-browser.ts';
import { aWish, connected, type Life, later } from './life.ts';

vi.mock('webextension-polyfill', () => import('../support/fake-browser.ts'));

const hidden = (id: string) => aWish(id, { url: `https://hidden.example/${id}`, private: true });
const memory = () => browser.storage.session.dump();
let life: Life;

/** A private link, a private request that failed and one that waits, among others. */
beforeEach(async () => {
  freshDisk();
  life = await connected();
  await life.wishes.shorten(hidden('request-p'));
  await life.wishes.shorten(aWish('request-a'));
  await life.runOut();
  life.send = async () => answered([refused('invalid_url')]);
  await life.wishes.shorten(hidden('request-f'));
  await life.runOut();
  await life.wishes.shorten(hidden('request-w'));
  life.pass(1);
  await life.accept('request-b');
});

describe('while a private window is open', () => {
  test('what belongs to it is remembered', async () => {
    browser.windows.getAll.mockResolvedValue([{ incognito: false }, { incognito: true }]);
    const before = memory();
    await forgetPrivate(life.store);
    expect(memory()).toBe(before);
    expect((await readViewHere(true)).links.map(({ id }) => id)).toEqual(['request-p', 'request-a']);
  });
});

describe('once the last private window is closed', () => {
  beforeEach(() => browser.windows.getAll.mockResolvedValue([{ incognito: false }]));

  test('nothing of it is remembered, done or not, and everything else is', async () => {
    await forgetPrivate(life.store);
    expect(memory()).not.toContain('hidden');
    expect((await life.requests()).map(({ id }) => id)).toEqual(['request-b']);
    expect((await readViewHere(true)).links.map(({ id }) => id)).toEqual(['request-a']);
  });

  test('what is on its way comes to its end, and is forgotten with the next', async () => {
    const answer = later<ReturnType<typeof answered>>();
    life.send = () => answer.promise;
    life.pass(60_000);
    const run = life.pump.run();
    await vi.waitFor(() => expect(life.sent).toHaveLength(4));
    await forgetPrivate(life.store);
    expect((await life.requests()).map(({ id }) => id)).toEqual(['request-w', 'request-b']);
    answer.resolve(answered([created('https://s.example/hidden')]));
    life.settled = () => forgetPrivate(life.store);
    await run;
    expect(memory()).not.toContain('hidden');
  });

  test('an open attempt of it is not sent again', async () => {
    const attempt = anAttempt(['request-w'], { private: true, inFlight: false });
    await life.store.transact((snapshot) => ({
      snapshot: { ...snapshot, queue: { ...snapshot.queue, attempt } },
      value: null,
    }));
    await forgetPrivate(life.store);
    expect((await life.snapshot()).queue.attempt).toBeNull();
  });
});
