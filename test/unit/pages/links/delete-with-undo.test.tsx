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

test('a link that could not be deleted is named: another may have been removed since', async () => {
  answers({ problem: 'unreachable' });
  expect(await commit(REMOVED)()).toBe(false);
  expect(flash.show).toHaveBeenCalledExactlyOnceWith({
    text: expect.stringContaining('serviceUnchanged'),
    url: REMOVED.shortUrl,
  });
});

test('where it was deleted, nothing is said', async () => {
  answers({ value: null });
  expect(await commit(REMOVED)()).toBe(true);
  expect(flash.show).toHaveBeenCalledExactlyOnceWith(null);
});
