import { expect, test } from 'vitest';
import { EMPTY_LIST, foundInText, liveLinks, urlsInQueue, withFound } from '../../../../src/pages/bulk/list-model.ts';
import { ownShortUrls } from '../../../../src/servers/own-short-urls.ts';
import { DEFAULT_SETTINGS } from '../../../../src/storage/settings.ts';
import { aRequest, NOW } from '../../queue/support/queue-builders.ts';
import { aLink } from '../../storage/stored.ts';
import { terseAt } from '../../support/terse-at.ts';

const isOwn = ownShortUrls(terseAt('https://go.example'));

function listOf(text: string, list = EMPTY_LIST, defaults = DEFAULT_SETTINGS) {
  let ids = 0;
  return withFound(list, foundInText(text), isOwn, defaults, () => `id-${++ids}`);
}

test('a list contains each cleaned-up URL once, in order', () => {
  const { entries, invalid } = listOf(
    'https://a.example\n\n  example.com/b  \r\nhttps://a.example/\nhttps://user:secret@c.example/',
  );
  expect(entries.map(({ url, userInfoRemoved }) => [url, userInfoRemoved])).toEqual([
    ['https://a.example/', false],
    ['https://example.com/b', false],
    ['https://c.example/', true],
  ]);
  expect(invalid).toEqual([]);
});

test('several URLs are found in one line of text', () => {
  const { entries } = listOf('Read https://a.example/1, then (https://b.example/2).\n1. Name: https://c.example/');
  expect(entries.map(({ url }) => url)).toEqual(['https://a.example/1', 'https://b.example/2', 'https://c.example/']);
});

test('a line that cannot be sent is kept once and unchanged, with the reason', () => {
  const { entries, invalid } = listOf(
    'just words\nmailto:a@b.example\nhttps://go.example/abc\nfile:///etc/passwd\njust words\njavascript:alert(1)',
  );
  expect(entries).toEqual([]);
  expect(invalid.map(({ text, reason }) => [text, reason])).toEqual([
    ['just words', 'not_a_url'],
    ['mailto:a@b.example', 'email'],
    ['https://go.example/abc', 'own_short_link'],
    ['file:///etc/passwd', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
  ]);
});

test('URLs that are added later do not change the ids and order of existing entries', () => {
  const first = listOf('https://a.example/\nnonsense');
  const second = withFound(
    first,
    [{ text: 'https://a.example/', title: 'A' }, ...foundInText('https://b.example/')],
    isOwn,
    DEFAULT_SETTINGS,
    () => 'new',
  );
  expect(second.entries.map(({ id, url, title }) => [id, url, title])).toEqual([
    ['id-1', 'https://a.example/', 'A'],
    ['new', 'https://b.example/', ''],
  ]);
  expect(second.invalid).toEqual(first.invalid);
  const third = withFound(second, foundInText('https://a.example/'), isOwn, DEFAULT_SETTINGS, () => 'newer');
  expect(third.entries, 'titles').toEqual(second.entries);
});

test('the URL of a failed request can be sent again, but not if its link may exist', () => {
  const states = ['waiting', 'uncertain', 'failed'] as const;
  const urls = urlsInQueue(states.map((state) => aRequest(state, { state, url: `https://a.example/${state}` })));
  expect([...urls]).toEqual(['https://a.example/waiting', 'https://a.example/uncertain']);
});

test('a tab in reader view adds its page, and a browser page is invalid', () => {
  const tabs = ['about:reader?url=https%3A%2F%2Fa.example%2F', 'chrome://settings/'];
  const found = tabs.map((text) => ({ text, title: 'Tab', isNamed: true }) as const);
  const { entries, invalid } = withFound(EMPTY_LIST, found, isOwn, DEFAULT_SETTINGS, () => 'id');
  expect(entries.map(({ url }) => url)).toEqual(['https://a.example/']);
  expect(invalid).toMatchObject([{ text: 'chrome://settings/', reason: 'browser' }]);
});

test('a link is live if it belongs to the connection, is listed and has not expired', () => {
  const links = [
    aLink('a', { url: 'https://x.example/a' }),
    aLink('b', { url: 'https://x.example/b', connectionId: 'other' }),
    aLink('c', { url: 'https://x.example/c', expiresAt: NOW }),
    aLink('d', { url: 'https://x.example/d', unlisted: true }),
  ];
  expect([...liveLinks(links, 'c', NOW).keys()]).toEqual(['https://x.example/a']);
});

test('the live link of a URL is the newest one that has not expired', () => {
  const url = 'https://x.example/a';
  const links = [
    aLink('live', { url, createdAt: NOW - 2 }),
    aLink('older', { url, createdAt: NOW - 3 }),
    aLink('expired', { url, createdAt: NOW - 1, expiresAt: NOW }),
  ];
  expect(liveLinks(links, 'c', NOW).get(url)?.id).toBe('live');
  expect(liveLinks(links.slice(2), 'c', NOW).size).toBe(0);
});

test('the URL defaults are applied when a URL is added to the list', () => {
  const text = 'https://a.example/?utm_source=x#:~:text=a\nhttps://a.example/';
  const defaults = { ...DEFAULT_SETTINGS, removeTracking: true, dropTextFragment: true };
  expect(listOf(text, EMPTY_LIST, defaults).entries.map(({ url }) => url)).toEqual(['https://a.example/']);
});
