import { FEATURE } from '@terse/contract/service-capabilities';
import { beforeEach, expect, test, vi } from 'vitest';
import { useCommit } from '../../../../src/pages/links/delete-with-undo.tsx';
import { CONNECTION, link } from '../../../gallery/fixtures.ts';
import { browser, resetBrowser } from '../../support/fake-browser.ts';
import { render } from '../../support/render.ts';

// @vitest-environment happy-dom

vi.mock('../../../../src/browser/browser.ts', () => import('../../support/fake-browser.ts'));

const LISTING = {
  ...CONNECTION,
  service: { name: 'T', shortBaseUrl: 'https://go.example', features: [FEATURE.links] },
};
const REMOVED = link({ shortUrl: 'https://go.example/away' });
const OTHER = link({ shortUrl: 'https://go.example/other' });
const flash = { change: vi.fn(), show: vi.fn() };
let commit: ReturnType<typeof useCommit>;

function Page() {
  commit = useCommit(flash, [LISTING]);
  return null;
}

beforeEach(async () => {
  resetBrowser();
  flash.show.mockReset();
  await render(<Page />);
});

const answers = (value: object) => browser.runtime.sendMessage.mockResolvedValue({ ok: true, value });

test('a link that could not be deleted is named, and those after it are left', async () => {
  answers({ problem: 'unreachable' });
  expect(await commit([REMOVED, OTHER])()).toEqual([REMOVED, OTHER]);
  expect(flash.show).toHaveBeenCalledExactlyOnceWith({
    text: expect.stringContaining('serviceUnchanged'),
    url: REMOVED.shortUrl,
  });
});

test('after a deletion, no error is shown', async () => {
  answers({ value: null });
  expect(await commit([REMOVED, OTHER])()).toEqual([]);
  expect(flash.show.mock.calls).toEqual([[null], [null]]);
});

test('a server that limits requests is asked again', async () => {
  vi.useFakeTimers();
  answers({ value: null });
  browser.runtime.sendMessage.mockResolvedValueOnce({ ok: true, value: { problem: 'throttled' } });
  const left = commit([REMOVED])();
  await vi.runAllTimersAsync();
  vi.useRealTimers();
  expect(await left).toEqual([]);
  expect(browser.runtime.sendMessage).toHaveBeenCalledTimes(2);
});

test('links that no server lists are removed with one message', async () => {
  const local = [link({ connectionId: null }), link({ connectionId: null })];
  flash.change.mockResolvedValue(true);
  expect(await commit(local)()).toEqual([]);
  expect(flash.change.mock.calls).toEqual([[{ type: 'remove-links', ids: local.map(({ id }) => id) }]]);
});
