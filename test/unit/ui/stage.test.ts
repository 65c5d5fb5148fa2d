import '../../gallery/stubbed.ts';

import { describe, expect, test } from 'vitest';
import { stageOf, subjectOf, type Wish, wantedOf } from '../../../src/popup/stage.ts';
import type { View } from '../../../src/storage/view.ts';
import { link, request, TIME, view } from '../../gallery/fixtures.ts';
import { TAB } from '../../gallery/popup-states.tsx';

const url = TAB.url ?? '';
const accepted: Wish = { id: 'wish-0001', url, title: TAB.title, state: 'accepted' };
const stage = (change: Partial<View>, wish: Wish | null = null, tab = TAB) =>
  stageOf(view({ links: [], ...change }), tab, wish, TIME, true);

describe('stageOf', () => {
  test('offers to shorten a page that was never shortened', () => {
    expect(stage({})).toEqual({ kind: 'ready', url, title: TAB.title });
  });

  test('asks for a connection only where there is something to shorten', () => {
    expect(stage({ connection: null }).kind).toBe('connect');
    expect(stage({ connection: null }, null, { ...TAB, url: 'about:blank' }).kind).toBe('blocked');
  });

  test('follows its wish from the question to the link', () => {
    expect(stage({}, { ...accepted, state: 'asking' }).kind).toBe('asking');
    expect(stage({ requests: [request({ id: accepted.id, url })] }, accepted).kind).toBe('pending');
    const made = link({ id: accepted.id, url });
    expect(stage({ links: [made] }, accepted)).toEqual({ kind: 'done', link: made, fresh: true });
  });

  test('an unanswered wish that is in the queue, or has ended in a link, was heard', () => {
    const lost: Wish = { ...accepted, state: 'lost' };
    expect(stage({ requests: [request({ id: accepted.id, url })] }, lost).kind).toBe('pending');
    expect(stage({ links: [link({ id: accepted.id, url })] }, lost).kind).toBe('done');
  });

  test('says a refusal, and a silence, of its wish', () => {
    expect(stage({}, { ...accepted, state: 'refused', code: 'storage_full' })).toEqual({
      kind: 'refused',
      code: 'storage_full',
    });
    expect(stage({}, { ...accepted, state: 'lost' }).kind).toBe('lost');
  });

  test('finds what an earlier popup asked for', () => {
    expect(stage({ requests: [request({ url: 'https://other.example/' }), request({ url })] })).toMatchObject({
      kind: 'pending',
      request: { url },
    });
  });

  test('spends no budget on a page that has a short URL already', () => {
    const earlier = link({ url });
    expect(stage({ links: [link(), earlier] })).toEqual({ kind: 'done', link: earlier, fresh: false });
  });

  test('a link that arrives while the popup is open is fresh, whoever wished for it', () => {
    const { openedAt } = TAB;
    const fresh = (createdAt: number) => stage({ links: [link({ url, createdAt })] });
    expect(fresh(openedAt + 1)).toMatchObject({ fresh: true });
    // The background has stored it, and finds the popup open when it comes to telling.
    expect(fresh(openedAt - 100)).toMatchObject({ fresh: true });
    expect(fresh(openedAt - 60_000)).toMatchObject({ fresh: false });
  });

  test('shortening again stands before the earlier link', () => {
    const again = request({ id: accepted.id, url });
    expect(stage({ links: [link({ url })], requests: [again] }, accepted)).toMatchObject({ kind: 'pending' });
  });

  test('a wish that was given up leaves the offer', () => {
    expect(stage({}, accepted).kind).toBe('ready');
  });
});

test('the links wanted are the latest, those of the page and of the wish, and the one that the wish ends in', () => {
  expect(wantedOf(TAB, null)).toEqual({ latest: 6, urls: [url], ids: [] });
  const typed: Wish = { ...accepted, url: 'https://shop.example/', title: '' };
  expect(wantedOf(TAB, typed)).toEqual({ latest: 6, urls: [url, 'https://shop.example/'], ids: [accepted.id] });
  expect(wantedOf({ ...TAB, url: 'chrome://settings/' }, null).urls).toEqual([]);
});

test('a typed URL takes the place of the page', () => {
  const typed: Wish = { ...accepted, url: 'https://shop.example/', title: '' };
  expect(subjectOf(TAB, typed)).toEqual({ url: 'https://shop.example/', title: '', typed: true });
  expect(subjectOf(TAB, accepted).typed).toBe(false);
  expect(subjectOf({ ...TAB, url: 'chrome://settings/' }, null)).toMatchObject({
    url: 'chrome://settings/',
    typed: false,
  });
});
