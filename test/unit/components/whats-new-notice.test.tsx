import '../../gallery/stubbed.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import { onInstalled } from '../../../src/background/on-install.ts';
import { NEWS_OF, ReleaseNotes, readHasReleaseNotes } from '../../../src/components/whats-new-notice.tsx';
import { browser, resetBrowser } from '../support/fake-browser.ts';
import { press, render, textOf } from '../support/render.ts';

// @vitest-environment happy-dom

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

beforeEach(resetBrowser);

const update = (previousVersion: string) =>
  onInstalled({ reason: 'update', previousVersion, temporary: false }, async () => true);

test('release notes are shown only after an update from a version without the new feature', async () => {
  expect(await readHasReleaseNotes()).toBe(false);
  for (const [from, expected] of [
    ['0.1.0', true],
    ['0.1.12', true],
    [NEWS_OF, false],
    ['0.10.0', false],
    ['1.0.0', false],
  ] as const) {
    resetBrowser();
    await update(from);
    expect([from, await readHasReleaseNotes()]).toEqual([from, expected]);
  }
});

test('the release notes are one line without a tab or badge until the user dismisses them', async () => {
  await update('0.1.0');
  const page = await render(<ReleaseNotes hasNews={await readHasReleaseNotes()} />);
  expect(textOf(page)).toContain('[news]');
  expect(browser.tabs.create).not.toHaveBeenCalled();
  expect(browser.action.setBadgeText).not.toHaveBeenCalled();
  await press('[dismiss]');
  expect(textOf(page)).toBe('');
  expect(await readHasReleaseNotes()).toBe(false);
});
