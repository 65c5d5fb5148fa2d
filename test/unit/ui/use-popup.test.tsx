// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { popupTarget } from '../../../src/messages/popup-target.ts';
import { usePopup } from '../../../src/popup/use-popup.ts';
import { DEFAULT_SETTINGS } from '../../../src/storage/settings.ts';
import { resetBrowser } from '../support/fake-browser.ts';
import { render } from './render.ts';

vi.mock('../../../src/platform/browser.ts', () => import('../support/fake-browser.ts'));
const NO_QUEUES = vi.hoisted(() => ({ queues: [], unassigned: [] }));
vi.mock('../../../src/messages/read.ts', () => ({ readLinks: async () => [], readQueues: async () => NO_QUEUES }));

const url = 'https://example.org/chosen';
const tab = { id: 1, url: 'https://example.org/', title: 'Example', private: false, openedAt: 0 };
const start = { tab, handed: null, settings: DEFAULT_SETTINGS, queues: NO_QUEUES, links: [] };
let model: ReturnType<typeof usePopup>;

function Page() {
  model = usePopup(start as unknown as Parameters<typeof usePopup>[0]);
  return null;
}

const give = () => popupTarget.give({ private: false, at: Date.now(), orderId: 'order', url, title: 'Chosen' });

beforeEach(resetBrowser);

test('what is handed over while the popup is open is shown', async () => {
  await render(<Page />);
  await give();
  await vi.waitFor(() => expect(model.order).toMatchObject({ id: 'order', url }));
});

test('what was handed over between the first reading and the watching is shown too', async () => {
  await give();
  await render(<Page />);
  await vi.waitFor(() => expect(model.order).toMatchObject({ id: 'order', url }));
});
