import '../../gallery/stubbed.ts';
import { act } from 'preact/test-utils';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { useErrorToast } from '../../../src/components/error-toast.tsx';
import { useWelcomeActions } from '../../../src/pages/welcome/use-welcome-actions.ts';
import type { Connection } from '../../../src/queue/types.ts';
import { CONNECTION, queuesView } from '../../gallery/fixtures.ts';
import { render } from '../support/render.ts';

// @vitest-environment happy-dom

const request = vi.fn<(asked: unknown) => Promise<boolean>>();
const sendMessage = vi.fn<(message: unknown) => Promise<unknown>>();
const refresh = async () => queuesView();
const settings = { change: vi.fn(), setNotifications: vi.fn() };

interface Shown {
  allowAccess: (connection: Connection) => void;
}
let flash: ReturnType<typeof useErrorToast>['flash'];
let handlers: Shown;

/** The action hooks of each page, without the page's components. */
const PAGES = {
  welcome: () => {
    const flashing = useErrorToast(refresh);
    flash = flashing.flash;
    handlers = useWelcomeActions(settings, flashing);
    return null;
  },
};

beforeEach(() => {
  vi.resetAllMocks();
  sendMessage.mockResolvedValue({ ok: true, value: null });
  Object.assign((globalThis as unknown as { browser: object }).browser, {
    permissions: { request },
    runtime: { id: 'gallery', sendMessage },
  });
});

const allow = () =>
  act(async () => {
    handlers.allowAccess(CONNECTION);
    await new Promise((resolve) => setTimeout(resolve));
  });

describe.each(Object.entries(PAGES))('the %s page', (_name, Page) => {
  test('requests access only to that host, and resumes the queue', async () => {
    request.mockResolvedValue(true);
    await render(<Page />);
    await allow();
    expect(request.mock.calls).toEqual([[{ origins: ['https://links.example.com/*'] }]]);
    expect(sendMessage.mock.calls).toEqual([[{ type: 'try-now', connectionId: CONNECTION.id }]]);
    expect(flash).toBeNull();
  });

  test('shows a message until access is granted', async () => {
    request.mockResolvedValueOnce(false).mockResolvedValue(true);
    await render(<Page />);
    await allow();
    expect(flash).toEqual({ text: expect.stringMatching(/^Terse needs your permission/) });
    expect(sendMessage).not.toHaveBeenCalled();
    await allow();
    expect(flash).toBeNull();
  });
});
