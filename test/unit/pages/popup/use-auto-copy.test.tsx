import '../../../gallery/stubbed.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Clipboard } from '../../../../src/components/copy-button.tsx';
import { useAutoCopy } from '../../../../src/pages/popup/use-auto-copy.ts';
import { link, request } from '../../../gallery/fixtures.ts';
import { order, popupProps, TAB } from '../../../gallery/popup-states.tsx';
import { render, rerender } from '../../support/render.ts';

// @vitest-environment happy-dom

type Given = Parameters<typeof useAutoCopy>[0];

const copy = vi.fn<Clipboard['copy']>();
const url = TAB.url ?? '';
const FRESH = Date.now();

function Page(given: Given) {
  useAutoCopy(given);
  return null;
}

/** Returns the hook's input. The popup's own rules compute the state. */
function known(change: Partial<Given> & { links?: Given['links'] } = {}) {
  const { order: placed = null, links = [] } = change;
  const { state } = popupProps({ links, order: placed, tab: { ...TAB, openedAt: FRESH } });
  const clipboard = { copied: null, copy };
  const base = { enabled: true, copiesEarlier: false, order: placed, requests: [], links, clipboard };
  return <Page {...base} state={state} {...change} />;
}

beforeEach(() => void copy.mockClear());
const copied = () => copy.mock.calls.map(([text]) => text);

test('a link that this popup requested is copied once, when it is created', async () => {
  await render(known({ order: order() }));
  expect(copied()).toEqual([]);
  const made = link({ id: 'request-here', url });
  await rerender(known({ order: order(), links: [made] }));
  await rerender(known({ order: order(), links: [made, link()] }));
  expect(copied()).toEqual([made.shortUrl]);
});

test('a link that this popup requested is copied even while the popup shows another', async () => {
  const first = order({ id: 'request-first', url: 'https://shop.example/' });
  await render(known({ order: first }));
  await rerender(known({ order: order() }));
  const made = link({ id: 'request-first', url: 'https://shop.example/' });
  await rerender(known({ order: order(), links: [made] }));
  expect(copied()).toEqual([made.shortUrl]);
});

test("a link that an earlier popup requested recently is copied, but not a menu's link", async () => {
  const asked = request({ createdAt: FRESH, source: 'popup' });
  const ofMenu = request({ createdAt: FRESH, source: 'background' });
  await render(known({ requests: [asked, ofMenu] }));
  await rerender(known({ requests: [asked], links: [link({ id: ofMenu.id, createdAt: 0 })] }));
  expect(copied()).toEqual([]);
  const made = link({ id: asked.id, createdAt: 0 });
  await rerender(known({ links: [made] }));
  expect(copied()).toEqual([made.shortUrl]);
});

test('a link that existed before the popup is copied again only by command or setting', async () => {
  const had = link({ id: 'had', url, createdAt: 0 });
  await render(known({ links: [had] }));
  expect(copied()).toEqual([]);
  await render(known({ links: [had], copiesEarlier: true }));
  await render(known({ links: [had], order: order({ resultId: 'had', existing: true }) }));
  expect(copied()).toEqual([had.shortUrl, had.shortUrl]);
});

test('a link that took long is copied only if the popup shows it', async () => {
  const old = request({ createdAt: FRESH - 120_000, source: 'popup', url });
  await render(known({ requests: [old] }));
  await rerender(known({ links: [link({ id: old.id, createdAt: 0 })] }));
  expect(copied()).toEqual([]);
  const shown = link({ id: old.id, url, createdAt: FRESH });
  await rerender(known({ links: [shown] }));
  expect(copied()).toEqual([shown.shortUrl]);
});

test('no link is copied if several links arrive together', async () => {
  const asked = [request({ createdAt: FRESH }), request({ createdAt: FRESH })];
  await render(known({ requests: asked }));
  await rerender(known({ links: asked.map(({ id }) => link({ id, createdAt: 0 })) }));
  expect(copied()).toEqual([]);
});

test('an existing link is copied only if a command or the setting requests it', async () => {
  const earlier = link({ id: 'link-9', url, createdAt: 0 });
  await render(known({ links: [earlier] }));
  expect(copied()).toEqual([]);
  await render(known({ links: [earlier], copiesEarlier: true }));
  expect(copied()).toEqual([earlier.shortUrl]);
  await render(known({ links: [earlier], order: order({ resultId: 'link-9', existing: true }) }));
  expect(copied()).toHaveLength(2);
});

test('an existing link is not copied for a command without a result', async () => {
  const earlier = link({ id: 'link-9', url, createdAt: 0 });
  await render(known({ links: [earlier], order: order({ url: 'https://shop.example/', connectionId: 'another' }) }));
  await render(known({ links: [earlier], order: order({ state: 'accepted' }) }));
  expect(copied()).toEqual([]);
});

test('a link of a menu command is copied silently, because the background copied it too', async () => {
  const made = link({ id: 'request-here', url });
  await render(known({ order: order({ handed: true }), links: [made] }));
  expect(copy.mock.calls).toEqual([[made.shortUrl, true]]);
});

test('no link is copied if automatic copying is off', async () => {
  await render(known({ enabled: false, order: order(), links: [link({ id: 'request-here', url })] }));
  expect(copied()).toEqual([]);
});
