import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pageAddress, showsPrivate } from '../../../src/messages/private-page.ts';

const extension = vi.hoisted(() => ({ inIncognitoContext: false }));
vi.mock('../../../src/platform/browser.ts', () => ({
  default: { extension, runtime: { getURL: (path: string) => `https://extension.example/${path}` } },
}));

beforeEach(() => {
  extension.inIncognitoContext = false;
});
afterEach(() => vi.unstubAllGlobals());

test.each([
  [true, true],
  [false, false],
])('a page that is opened from a private window (%s) shows what is private, whatever window it is in', (is, shown) => {
  vi.stubGlobal('location', new URL(pageAddress('queue-page', is)));
  expect(showsPrivate()).toBe(shown);
  vi.stubGlobal('location', new URL(pageAddress('many', is, 'group=1')));
  expect(showsPrivate()).toBe(shown);
  expect(location.search).toMatch(/^\?group=1/);
});

test('a page in a private window shows it by itself', () => {
  extension.inIncognitoContext = true;
  vi.stubGlobal('location', new URL(pageAddress('queue-page', false)));
  expect(showsPrivate()).toBe(true);
});

test('an address asks for nothing that it need not', () => {
  expect(pageAddress('queue-page', false)).toBe('https://extension.example/src/queue-page/index.html');
});
