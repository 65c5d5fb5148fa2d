import { expect, test } from 'vitest';
import { type Entry, foundInText, withFound } from '../../../../src/pages/bulk/collect-urls.ts';
import { ownShortUrls } from '../../../../src/servers/capabilities.ts';
import { DEFAULT_SETTINGS } from '../../../../src/storage/settings.ts';
import { terseAt } from '../../support/terse-at.ts';

const isOwn = ownShortUrls(terseAt('https://go.example'));

function listOf(text: string, defaults = DEFAULT_SETTINGS): Entry[] {
  let ids = 0;
  return withFound([], foundInText(text), isOwn, defaults, () => `id-${++ids}`);
}

test('a list contains each cleaned-up URL once, in order', () => {
  const entries = listOf(
    'https://a.example\n\n  example.com/b  \r\nhttps://a.example/\nhttps://user:secret@c.example/',
  );
  expect(entries.map(({ url, userInfoRemoved, problem }) => [url, userInfoRemoved, problem])).toEqual([
    ['https://a.example/', false, null],
    ['https://example.com/b', false, null],
    ['https://c.example/', true, null],
  ]);
});

test('several URLs are found in one line of text', () => {
  const entries = listOf('Read https://a.example/1, then (https://b.example/2).\n1. Name: https://c.example/');
  expect(entries.map(({ url }) => url)).toEqual(['https://a.example/1', 'https://b.example/2', 'https://c.example/']);
});

test('a line that cannot be sent is kept once and unchanged, with the reason', () => {
  const entries = listOf(
    'just words\nmailto:a@b.example\nhttps://go.example/abc\nfile:///etc/passwd\njust words\njavascript:alert(1)',
  );
  expect(entries.map(({ url, problem }) => [url, problem])).toEqual([
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
  expect(second.map(({ id, url, title }) => [id, url, title])).toEqual([
    ['id-1', 'https://a.example/', 'A'],
    ['id-2', 'nonsense', ''],
    ['new', 'https://b.example/', ''],
  ]);
  const third = withFound(second, foundInText('https://a.example/'), isOwn, DEFAULT_SETTINGS, () => 'newer');
  expect(third, 'titles').toEqual(second);
});

test('a tab in reader view adds its page, and a browser page is invalid', () => {
  const tabs = ['about:reader?url=https%3A%2F%2Fa.example%2F', 'chrome://settings/'];
  const found = tabs.map((text) => ({ text, title: 'Tab', isNamed: true }) as const);
  expect(withFound([], found, isOwn, DEFAULT_SETTINGS, () => 'id')).toMatchObject([
    { url: 'https://a.example/', problem: null },
    { url: 'chrome://settings/', problem: 'browser' },
  ]);
});

test('the URL defaults are applied when a URL is added to the list', () => {
  const text = 'https://a.example/?utm_source=x#:~:text=a\nhttps://a.example/';
  const defaults = { ...DEFAULT_SETTINGS, removeTracking: true, dropTextFragment: true };
  expect(listOf(text, defaults).map(({ url }) => url)).toEqual(['https://a.example/']);
});
