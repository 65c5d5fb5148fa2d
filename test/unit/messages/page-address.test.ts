import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isPrivatePage, pageAddress } from '../../../src/messages/open-page-with-data.ts';

const extension = vi.hoisted(() => ({ inIncognitoContext: false }));
vi.mock('../../../src/browser/browser.ts', () => ({
  default: { extension, runtime: { getURL: (path: string) => `https://extension.example/${path}` } },
}));

beforeEach(() => {
  extension.inIncognitoContext = false;
});
afterEach(() => vi.unstubAllGlobals());

test.each([
  [true, true],
  [false, false],
])('a page that is opened from a private window (%s) shows private data in any window', (is, shown) => {
  vi.stubGlobal('location', new URL(pageAddress('queue', is)));
  expect(isPrivatePage()).toBe(shown);
  vi.stubGlobal('location', new URL(pageAddress('bulk', is, 'group=1')));
  expect(isPrivatePage()).toBe(shown);
  expect(location.search).toMatch(/^\?group=1/);
});

test('a page in a private window shows private data without the parameter', () => {
  extension.inIncognitoContext = true;
  vi.stubGlobal('location', new URL(pageAddress('queue', false)));
  expect(isPrivatePage()).toBe(true);
});

test('an address has no empty parameters', () => {
  expect(pageAddress('queue', false)).toBe('https://extension.example/src/pages/queue/index.html');
});
