// @vitest-environment happy-dom
import '../../gallery/stubbed.ts';

import { act } from 'preact/test-utils';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { useLinksHandlers } from '../../../src/links/use-links-handlers.ts';
import { useOptionsHandlers } from '../../../src/options/use-options-handlers.ts';
import type { Connection } from '../../../src/queue/types.ts';
import { useFlash } from '../../../src/ui/use-flash.ts';
import { useWelcomeHandlers } from '../../../src/welcome/use-welcome-handlers.ts';
import { CONNECTION, queuesView } from '../../gallery/fixtures.ts';
import { render } from './render.ts';

const request = vi.fn<(asked: unknown) => Promise<boolean>>();
const sendMessage = vi.fn<(message: unknown) => Promise<unknown>>();
const create = vi.fn<(tab: { url: string }) => Promise<void>>();
const readList = vi.fn<(connection: Connection) => Promise<void>>();
const refresh = async () => queuesView();
const queues = { value: queuesView(), refresh };
const settings = { change: vi.fn(), setNotifications: vi.fn() };
const removal = { remove: vi.fn(), undo: vi.fn(), hold: vi.fn() };

interface Shown {
  allowAccess: (connection: Connection) => void;
}
let flash: ReturnType<typeof useFlash>['flash'];
let handlers: Shown;

/** What each page does about it, without what else is on it. */
const PAGES = {
  links: () => {
    const flashing = useFlash(refresh);
    flash = flashing.flash;
    handlers = useLinksHandlers(flashing, removal, { read: readList }, [CONNECTION], true);
    return null;
  },
  options: () => {
    const flashing = useFlash(refresh);
    flash = flashing.flash;
    handlers = useOptionsHandlers(queues, settings, flashing);
    return null;
  },
  welcome: () => {
    const flashing = useFlash(refresh);
    flash = flashing.flash;
    handlers = useWelcomeHandlers(queues, settings, flashing);
    return null;
  },
};

beforeEach(() => {
  vi.resetAllMocks();
  sendMessage.mockResolvedValue({ ok: true, value: null });
  Object.assign((globalThis as unknown as { browser: object }).browser, {
    permissions: { request },
    tabs: { create },
    runtime: { id: 'gallery', sendMessage, getURL: (path: string) => path },
  });
});

const allow = () =>
  act(async () => {
    handlers.allowAccess(CONNECTION);
    await new Promise((resolve) => setTimeout(resolve));
  });

describe.each(Object.entries(PAGES))('the %s page', (name, Page) => {
  test('asks for access to the address alone, and what waits for it goes on', async () => {
    request.mockResolvedValue(true);
    await render(<Page />);
    await allow();
    expect(request.mock.calls).toEqual([[{ origins: ['https://links.example.com/*'] }]]);
    expect(sendMessage.mock.calls).toEqual([[{ type: 'try-now', connectionId: CONNECTION.id }]]);
    expect(readList.mock.calls).toEqual(name === 'links' ? [[CONNECTION]] : []);
    expect(flash).toBeNull();
  });

  test('says that access is missing where it was refused, until it is there', async () => {
    request.mockResolvedValueOnce(false).mockResolvedValue(true);
    await render(<Page />);
    await allow();
    expect(flash).toEqual({ text: expect.stringMatching(/^Without your permission/) });
    expect([...sendMessage.mock.calls, ...readList.mock.calls]).toEqual([]);
    await allow();
    expect(flash).toBeNull();
  });
});

test('the options page says that another connection could not be made the default', async () => {
  sendMessage.mockResolvedValue({ ok: false, code: 'storage_full' });
  await render(<PAGES.options />);
  await act(async () => {
    (handlers as ReturnType<typeof useOptionsHandlers>).setDefault(CONNECTION.id);
    await new Promise((resolve) => setTimeout(resolve));
  });
  expect(flash).toEqual({ text: 'The disk is full. Make room and try again.' });
});

test('the links page of a private window opens the others as such', async () => {
  await render(<PAGES.links />);
  const { openMany, openQueue } = handlers as ReturnType<typeof useLinksHandlers>;
  openMany();
  openQueue();
  expect(create.mock.calls.map(([{ url }]) => url)).toEqual([
    'src/many/index.html?private',
    'src/queue-page/index.html?private',
  ]);
});
