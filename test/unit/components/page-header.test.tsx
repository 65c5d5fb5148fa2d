import { queue, queuesView, request } from '../../gallery/fixtures.ts';
import '../../gallery/stubbed.ts';
import { expect, test } from 'vitest';
import { PageHeader } from '../../../src/components/page-header.tsx';
import type { VisibleQueues } from '../../../src/queue/types.ts';
import { speak } from '../../gallery/browser-stub.ts';
import { render, textOf } from '../support/render.ts';

// @vitest-environment happy-dom

const blocked = queue({ requests: [request(), request()], state: { ...queue().state, blocked: 'unauthorized' } });

async function links(view: VisibleQueues): Promise<HTMLAnchorElement[]> {
  await render(<PageHeader current="queue" view={view} />);
  return [...document.querySelectorAll<HTMLAnchorElement>('nav a')];
}

const names = async (view: VisibleQueues) => (await links(view)).map((link) => textOf(link));

test('the four links lead to the pages, and the current page is marked', async () => {
  const all = await links(queuesView());
  const pages = ['links', 'bulk', 'queue', 'options'].map((page) => `/src/pages/${page}/index.html`);
  expect(all.map((link) => link.getAttribute('href'))).toEqual(pages);
  expect(all.map((link) => textOf(link))).toEqual(['Links', 'Bulk shorten', 'Queue', 'Options']);
  expect(all.map((link) => link.title)).toEqual(['Links', 'Bulk shorten', 'Queue', 'Options']);
  expect(all.map((link) => link.getAttribute('aria-current'))).toEqual([null, null, 'page', null]);
});

test('the queue link shows the number of waiting requests', async () => {
  expect((await names(queuesView([queue({ requests: [request(), request()] })])))[2]).toBe('Queue 2 2 waiting');
  expect(document.querySelector('.count.is-danger')).toBeNull();
});

test('if requests need the user, only these are counted, in red', async () => {
  const requests = [request(), request({ state: 'failed' })];
  expect((await names(queuesView([queue({ requests })])))[2]).toBe('Queue 1 1 to review');
  expect(document.querySelector('.count.is-danger')).not.toBeNull();
});

test('the options link is marked if a connection is blocked', async () => {
  expect((await names(queuesView([queue(), blocked])))[3]).toBe('Options Action needed');
});

test("a large number is shown as 99+ in the locale's digits", async () => {
  speak('en-u-nu-arab', {});
  await links(queuesView([queue({ requests: Array.from({ length: 100 }, () => request()) })]));
  expect(textOf(document.querySelector('.count'))).toBe('٩٩+');
});
