import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { filterLinks, useSearchTexts } from '../../../../src/pages/links/search-and-sort.ts';
import type { Link } from '../../../../src/queue/types.ts';
import { link, NOW } from '../../../gallery/fixtures.ts';
import { render, rerender } from '../../support/render.ts';

// @vitest-environment happy-dom

function Page({ links }: { links: Link[] }) {
  useSearchTexts(links);
  return null;
}

const some = (count: number) => Array.from({ length: count }, (_, at) => link({ title: `Link ${at}` }));

/** Returns how many search texts the first key press computes. */
function madeByKeystroke(links: Link[]): number {
  const lowered = vi.spyOn(String.prototype, 'toLowerCase');
  filterLinks(links, { query: 'link', show: 'all', connectionId: null }, NOW);
  // One of the counted calls converts the query to lower case.
  const made = lowered.mock.calls.length - 1;
  lowered.mockRestore();
  return made;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

test('search texts are computed before the first search, 1,000 at a time', async () => {
  const links = some(2_500);
  await render(<Page links={links} />);
  const lowered = vi.spyOn(String.prototype, 'toLowerCase');
  const parts: number[] = [];
  while (vi.getTimerCount() > 0) {
    const before = lowered.mock.calls.length;
    await act(() => void vi.advanceTimersToNextTimer());
    parts.push(lowered.mock.calls.length - before);
  }
  lowered.mockRestore();
  expect(parts.filter((made) => made > 0)).toEqual([1_000, 1_000, 500]);
  expect(madeByKeystroke(links)).toBe(0);
});

test('search texts of a replaced list are not computed', async () => {
  const [left, next] = [some(10), some(10)];
  await render(<Page links={left} />);
  await rerender(<Page links={next} />);
  await act(() => void vi.runAllTimers());
  expect([madeByKeystroke(left), madeByKeystroke(next)]).toEqual([10, 0]);
});

test('search texts are not computed after the page is closed', async () => {
  const links = some(10);
  await render(<Page links={links} />);
  await rerender(null);
  await act(() => void vi.runAllTimers());
  expect(madeByKeystroke(links)).toBe(10);
});
