import { expect, test } from 'vitest';
import { type Filter, filterLinks, sortLinks } from '../../../src/links/arrange.ts';
import type { Link } from '../../../src/queue/types.ts';
import { link, NOW } from '../../gallery/fixtures.ts';

const EVERY: Filter = { query: '', show: 'all', connectionId: null };
const found = (links: Link[], filter: Partial<Filter>) => filterLinks(links, { ...EVERY, ...filter }, NOW);

test('a search wants every word, wherever it stands, whatever its case', () => {
  const rivers = link({ title: 'How to read a River', url: 'https://journal.example/essays' });
  const other = link({ title: 'Timetable', url: 'https://transit.example/' });
  expect(found([rivers, other], { query: ' river ESSAYS ' })).toEqual([rivers]);
  expect(found([rivers, other], { query: 'river timetable' })).toEqual([]);
  expect(found([rivers, other], { query: '  ' })).toEqual([rivers, other]);
});

test('a link is found by what it was changed to', () => {
  const before = link({ title: 'Otter' });
  expect(found([before], { query: 'otter' })).toEqual([before]);
  expect(found([{ ...before, title: 'Badger' }], { query: 'otter' })).toEqual([]);
});

test('live and expired links are told apart, to the millisecond', () => {
  const lasting = link();
  const later = link({ expiresAt: NOW + 1 });
  const over = link({ expiresAt: NOW });
  expect(found([lasting, later, over], { show: 'live' })).toEqual([lasting, later]);
  expect(found([lasting, later, over], { show: 'expired' })).toEqual([over]);
});

test('filters hold together', () => {
  const made = link({ title: 'Otter', connectionId: 'a' });
  const listed = link({ title: 'Otter', connectionId: 'a', elsewhere: true });
  const others = link({ title: 'Otter', connectionId: 'b' });
  const all = [made, listed, others];
  expect(found(all, { connectionId: 'a' })).toEqual([made, listed]);
  expect(found(all, { show: 'made_here' })).toEqual([made, others]);
  expect(found(all, { show: 'made_here', connectionId: 'b', query: 'otter' })).toEqual([others]);
});

test('the order is by clicks, by title or by address; where equal, newest first', () => {
  const [first, second, third] = [
    link({ title: 'item 10', url: 'https://www.b.example/', clicks: 3 }),
    link({ title: 'Item 9', url: 'https://c.example/' }),
    link({ title: '', url: 'http://a.example/x', clicks: 3 }),
  ] as [Link, Link, Link];
  const all = [first, second, third];
  expect(sortLinks(all, 'newest')).toEqual(all);
  expect(sortLinks(all, 'clicks')).toEqual([first, third, second]);
  expect(sortLinks(all, 'title', 'en')).toEqual([third, second, first]);
  expect(sortLinks(all, 'address', 'en')).toEqual([third, first, second]);
});
