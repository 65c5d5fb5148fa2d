// @vitest-environment happy-dom
import '../../gallery/stubbed.ts';

import { beforeEach, expect, test, vi } from 'vitest';
import { installed } from '../../../src/background/installed.ts';
import { NEWS_OF, News, readHasNews } from '../../../src/ui/news.tsx';
import { browser, resetBrowser } from '../support/fake-browser.ts';
import { press, render, textOf } from './render.ts';

vi.mock('../../../src/platform/browser.ts', () => import('../support/fake-browser.ts'));

beforeEach(resetBrowser);

const update = (previousVersion: string) =>
  installed({ reason: 'update', previousVersion, temporary: false }, async () => true);

test('an update from a version without it has something new, one from a version with it has not', async () => {
  expect(await readHasNews()).toBe(false);
  for (const [from, expected] of [
    ['0.1.0', true],
    ['0.1.12', true],
    [NEWS_OF, false],
    ['0.10.0', false],
    ['1.0.0', false],
  ] as const) {
    resetBrowser();
    await update(from);
    expect([from, await readHasNews()]).toEqual([from, expected]);
  }
});

test('it is told in one line, without a tab or a badge, until it is dismissed', async () => {
  await update('0.1.0');
  const page = await render(<News hasNews={await readHasNews()} />);
  expect(textOf(page)).toContain('[news]');
  expect(browser.tabs.create).not.toHaveBeenCalled();
  expect(browser.action.setBadgeText).not.toHaveBeenCalled();
  await press('[dismiss]');
  expect(textOf(page)).toBe('');
  expect(await readHasNews()).toBe(false);
});
