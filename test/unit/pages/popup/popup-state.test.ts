import '../../../gallery/stubbed.ts';
import { describe, expect, test } from 'vitest';
import type { ShortenProgress } from '../../../../src/components/shorten-command.ts';
import { currentTarget, linkQuery, pageOf } from '../../../../src/pages/popup/popup-state.ts';
import type { Tab } from '../../../../src/pages/popup/read-tab.ts';
import { NO_OPTIONS } from '../../../../src/queue/accept.ts';
import { ownShortUrls } from '../../../../src/servers/capabilities.ts';
import { DEFAULT_SETTINGS } from '../../../../src/storage/settings.ts';
import { CONNECTION, link, NOW, queue, queuesView, request, SECOND_CONNECTION } from '../../../gallery/fixtures.ts';
import { type Given, order, popupStore, TAB } from '../../../gallery/popup-states.tsx';
import { terseAt } from '../../support/terse-at.ts';

const url = TAB.url ?? '';
const NONE = queuesView([]);
const state = (given: Given) => popupStore({ links: [], ...given }).state.value;
const one = (...requests: ReturnType<typeof request>[]) => queuesView([queue({ requests })]);

describe('popupStateOf', () => {
  test('asks for a connection on any page if there is none', () => {
    expect(state({ view: NONE }).kind).toBe('connect');
    expect(state({ view: NONE, tab: { ...TAB, url: 'about:blank' } }).kind).toBe('connect');
    expect(state({ tab: { ...TAB, url: 'about:blank' } }).kind).toBe('blocked');
  });

  test('shows no link without a connection, because an imported link may lead elsewhere', () => {
    expect(state({ view: NONE, links: [link({ url, connectionId: null })] }).kind).toBe('connect');
  });

  test('offers to shorten a page that is the short URL of a link without a connection', () => {
    const made = link({ url: 'https://x.example/', shortUrl: url });
    expect(state({ links: [made] })).toMatchObject({ kind: 'blocked', reason: 'own_short_link' });
    expect(state({ links: [{ ...made, connectionId: null }] }).kind).toBe('ready');
  });

  test('follows the command from its acceptance to the link', () => {
    expect(state({ order: order(), view: one(request({ id: 'request-here', url })) }).kind).toBe('pending');
    const made = link({ id: 'request-here', url });
    expect(state({ order: order(), links: [made] })).toEqual({ kind: 'done', link: made, fresh: true });
  });

  test('does not use an imported link as the result of the command', () => {
    const imported = link({ id: 'request-here', url, connectionId: null });
    expect(state({ order: order(), links: [imported] }).kind).not.toBe('done');
  });

  test('treats an unanswered command as accepted if its request or link exists', () => {
    const lost = order({ state: 'lost' });
    expect(state({ order: lost, view: one(request({ id: lost.id, url })) }).kind).toBe('pending');
    expect(state({ order: lost, links: [link({ id: lost.id, url })] }).kind).toBe('done');
    expect(state({ order: lost })).toMatchObject({ kind: 'failed', code: 'lost' });
  });

  test.each(['specification', 'kutt'] as const)('asks before it repeats an unanswered private command (%s)', (kind) => {
    const view = queuesView([queue({ connection: { ...CONNECTION, kind, service: null } })]);
    const given = { order: order({ state: 'lost' }), view, tab: { ...TAB, private: true } };
    expect(state(given)).toMatchObject({ kind: 'failed', isUncertain: true });
  });

  test('gives a more specific reason for a refused address if it knows one', () => {
    const refused = order({ url: 'file:///home/me/notes.txt', state: 'refused', code: 'not_shortenable' });
    expect(state({ order: refused })).toMatchObject({ kind: 'failed', code: 'file' });
  });

  test('shows an existing link that the background returned for the command', () => {
    const earlier = link({ id: 'link-earlier', url, createdAt: NOW - 86_400_000 });
    const answered = order({ resultId: earlier.id, existing: true });
    expect(state({ order: answered, links: [earlier] })).toEqual({ kind: 'done', link: earlier, fresh: false });
  });

  test('follows the existing request that the command was merged into', () => {
    const folded = order({ resultId: 'request-before' });
    expect(state({ order: folded, view: one(request({ id: 'request-before', url })) })).toMatchObject({
      kind: 'pending',
      request: { id: 'request-before' },
    });
  });

  test('finds the request of an earlier popup for the same page', () => {
    expect(state({ view: one(request({ url: 'https://other.example/' }), request({ url })) })).toMatchObject({
      kind: 'pending',
      request: { url },
    });
  });

  test('shows the existing link of a page, which uses no quota', () => {
    const earlier = link({ url, createdAt: NOW - 60_000 });
    expect(state({ links: [link(), earlier] })).toEqual({ kind: 'done', link: earlier, fresh: false });
  });

  test('offers to shorten a page whose link has expired or is on another connection', () => {
    const elsewhere = link({ url, connectionId: SECOND_CONNECTION.id });
    expect(state({ links: [elsewhere] }).kind).toBe('ready');
    expect(state({ links: [link({ url, expiresAt: NOW })] }).kind).toBe('ready');
    const two = queuesView([queue(), queue({ connection: SECOND_CONNECTION })]);
    expect(state({ view: two, links: [elsewhere], chosen: SECOND_CONNECTION.id })).toMatchObject({ kind: 'done' });
  });

  test('ignores a command for another connection', () => {
    const two = queuesView([queue(), queue({ connection: SECOND_CONNECTION })]);
    const made = link({ id: 'request-here', url });
    expect(state({ view: two, order: order(), links: [made], chosen: SECOND_CONNECTION.id }).kind).toBe('ready');
  });

  test('marks a link that was created while the popup is open as fresh', () => {
    const fresh = (createdAt: number) => state({ links: [link({ url, createdAt })] });
    expect(fresh(TAB.openedAt + 1)).toMatchObject({ fresh: true });
    // The background worker stored the link while the popup was opening.
    expect(fresh(TAB.openedAt - 100)).toMatchObject({ fresh: true });
    expect(fresh(TAB.openedAt - 60_000)).toMatchObject({ fresh: false });
  });

  test("offers to shorten the page if the command's request was canceled", () => {
    expect(state({ order: order() }).kind).toBe('ready');
  });
});

const isOwn = ownShortUrls(terseAt('https://go.example'));
const targetOf = (tab: Tab, command: ShortenProgress | null, settings = DEFAULT_SETTINGS) =>
  currentTarget(pageOf(tab, isOwn, settings), command, isOwn, settings);
const queryOf = (tab: Tab, command: ShortenProgress | null, settings = DEFAULT_SETTINGS) =>
  linkQuery(pageOf(tab, isOwn, settings), command, settings);

test('the link query finds the latest links, and those of the page and the command', () => {
  expect(queryOf(TAB, null)).toEqual({ latest: 4, urls: [url], ids: [] });
  const typed = order({ url: 'https://shop.example/', resultId: 'link-1' });
  expect(queryOf(TAB, typed)).toEqual({
    latest: 4,
    urls: [url, 'https://shop.example/'],
    ids: [typed.id, 'link-1'],
  });
  expect(queryOf({ ...TAB, url: 'chrome://settings/' }, null).urls).toEqual([]);
});

describe('currentTarget', () => {
  test('is the page, with the reason if it cannot be shortened', () => {
    expect(targetOf(TAB, order())).toMatchObject({ url, isOther: false, blocked: null });
    expect(targetOf({ ...TAB, url: 'chrome://settings/' }, null)).toMatchObject({
      url: 'chrome://settings/',
      isOther: false,
      blocked: 'browser',
    });
  });

  test('contains no user info, and reports that it was removed', () => {
    const tab = { ...TAB, url: 'http://alice:secret@intranet.example/report' };
    expect(targetOf(tab, null)).toMatchObject({
      url: 'http://intranet.example/report',
      userInfoRemoved: true,
    });
    expect(state({ tab })).toMatchObject({ kind: 'ready' });
    expect(JSON.stringify(queryOf(tab, null))).not.toContain('secret');
  });

  test('is the page after the link defaults, with the original URL for the form', () => {
    const defaults = { ...DEFAULT_SETTINGS, removeTracking: true };
    const tab = { ...TAB, url: 'https://shop.example/?id=1&utm_source=x' };
    const sent = 'https://shop.example/?id=1';
    expect(targetOf(tab, null, defaults)).toMatchObject({ url: sent, original: tab.url, isOther: false });
    expect(queryOf(tab, null, defaults).urls).toEqual([sent]);
    const fromMenu = order({ url: tab.url, options: null });
    expect(targetOf(tab, fromMenu, defaults)).toMatchObject({ url: sent, isOther: false });
    const keptInForm = order({ url: tab.url, options: NO_OPTIONS });
    expect(targetOf(tab, keptInForm, defaults)).toMatchObject({ url: tab.url, isOther: false });
    expect(queryOf(tab, keptInForm, defaults).urls).toEqual([sent, tab.url]);
  });

  test('is the original page if the tab shows it in reader view', () => {
    const tab = { ...TAB, url: `about:reader?url=${encodeURIComponent(url)}` };
    expect(targetOf(tab, order())).toMatchObject({ url, isOther: false });
  });
});
