import '../../gallery/stubbed.ts';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openPage } from '../../../src/components/page-shell.tsx';
import { control, press, textOf } from '../support/render.ts';

// @vitest-environment happy-dom

beforeEach(() => {
  document.body.innerHTML = '<div id="app"></div>';
});

afterEach(() => void vi.restoreAllMocks());

const open = (load: () => Promise<preact.ComponentChild>) => act(() => openPage('linksTitle', load));
const text = () => textOf(document.getElementById('app'));

test('an opened page shows its content, and sets its title, language and text direction', async () => {
  await open(async () => <main>Loaded</main>);
  expect(text()).toBe('Loaded');
  expect(document.title).toBe('Links');
  expect(document.documentElement).toMatchObject({ lang: 'en', dir: 'ltr' });
});

test.each([
  [
    new DOMException('The requested version (1) is less than the existing version (2).', 'VersionError'),
    /newer version/,
  ],
  [new DOMException('Internal error opening backing store for indexedDB.open.', 'UnknownError'), /restart the browser/],
  [new Error('The background refused its view: internal'), /restart the browser/],
])('a page that cannot read its data shows the error and retries on request: %s', async (error, advice) => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  await open(() => Promise.reject(error));
  expect(text()).toMatch(/^Terse cannot read its data /);
  expect(text()).toMatch(advice);
  expect(text()).toContain(error.name);
  expect(document.activeElement).toBe(control('Try again'));
  await press('Try again');
  expect(reload).toHaveBeenCalledOnce();
});
