import { afterEach, expect, test, vi } from 'vitest';
import { prepareSearch, searchLinks, sortLinks, tagQuery } from '../../../../src/pages/links/search-and-sort.ts';
import type { Link } from '../../../../src/queue/types.ts';
import { link } from '../../../gallery/fixtures.ts';

test('a search finds links that contain all words, in any field, order and case', () => {
  const rivers = link({ title: 'How to read a River', url: 'https://journal.example/essays' });
  const other = link({ title: 'Timetable', url: 'https://transit.example/' });
  expect(searchLinks([rivers, other], ' river ESSAYS ')).toEqual([rivers]);
  expect(searchLinks([rivers, other], 'river timetable')).toEqual([]);
  expect(searchLinks([rivers, other], '  ')).toEqual([rivers, other]);
});

test.each(['MÜNCHEN', 'カワウソ', 'STRASSE', 'kürz.example', '%E3%82%AB'])(
  'a search by %s finds what people see',
  (query) => {
    const path = '%E3%82%AB%E3%83%AF%E3%82%A6%E3%82%BD';
    const seen = link({
      title: 'Straße',
      url: `https://xn--mnchen-3ya.de/${path}`,
      shortUrl: 'https://xn--krz-hoa.example/a',
    });
    expect(searchLinks([seen, link({ title: 'Other' })], query)).toEqual([seen]);
  },
);

test('a search finds tags, and with “#” only links that have exactly this tag', () => {
  const birds = link({ title: 'Otter', tags: ['Birds'] });
  const night = link({ title: 'Owl', tags: ['birds at night', 'owls'] });
  const named = link({ title: 'Birds', url: 'https://x.example/#birds' });
  const all = [birds, night, named];
  expect(searchLinks(all, 'birds owl')).toEqual([night]);
  expect(searchLinks(all, '#owl')).toEqual([night]);
  expect(searchLinks(all, tagQuery('birds'))).toEqual([birds]);
  expect(searchLinks(all, tagQuery('Birds at Night'))).toEqual([night]);
  expect(searchLinks(all, '＃birds')).toEqual([birds]);
  // If no shown link has the tag, the query is only text.
  expect(searchLinks([night, named], '#birds')).toEqual([night, named]);
});

test('an edited link is found by its new title, not by its old title', () => {
  const before = link({ title: 'Otter' });
  expect(searchLinks([before], 'otter')).toEqual([before]);
  expect(searchLinks([{ ...before, title: 'Badger' }], 'otter')).toEqual([]);
});

test('links are sorted by clicks, and equal links by newest first', () => {
  const all = [link({ clicks: 3 }), link(), link({ clicks: 3 }), link({ clicks: 7 })] as const;
  const [first, second, third, fourth] = all;
  expect(sortLinks([...all], 'newest')).toEqual(all);
  expect(sortLinks([...all], 'clicks')).toEqual([fourth, first, third, second]);
});

afterEach(() => void vi.useRealTimers());

const some = (count: number) => Array.from({ length: count }, (_, at) => link({ title: `Link ${at}` }));

/** Returns how many search texts the first key press computes. */
function madeByKeystroke(links: Link[]): number {
  const lowered = vi.spyOn(String.prototype, 'toLowerCase');
  searchLinks(links, 'link');
  // One of the counted calls converts the query to lower case.
  const made = lowered.mock.calls.length - 1;
  lowered.mockRestore();
  return made;
}

test('search texts are computed before the first search, 1,000 at a time', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const links = some(2_500);
  prepareSearch(links);
  const lowered = vi.spyOn(String.prototype, 'toLowerCase');
  const parts: number[] = [];
  while (vi.getTimerCount() > 0) {
    const before = lowered.mock.calls.length;
    vi.advanceTimersToNextTimer();
    parts.push(lowered.mock.calls.length - before);
  }
  lowered.mockRestore();
  expect(parts).toEqual([1_000, 1_000, 500]);
  expect(madeByKeystroke(links)).toBe(0);
});
