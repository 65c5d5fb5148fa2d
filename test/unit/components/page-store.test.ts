import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPageStore, PAGE_DEPS, type PageDeps } from '../../../src/components/page-store.ts';
import type { Message } from '../../../src/messages/protocol.ts';
import { CONNECTION, queuesView } from '../../gallery/fixtures.ts';
import { testDeps } from '../../gallery/page-deps.ts';
import { browser, resetBrowser } from '../support/fake-browser.ts';

// @vitest-environment happy-dom

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const storeWith = (deps: Partial<PageDeps>) => createPageStore(testDeps(deps), queuesView());
const SUCCESS = { ok: true, value: null };

beforeEach(() => resetBrowser());
afterEach(() => void vi.restoreAllMocks());

describe('a change', () => {
  const cancel: Message = { type: 'cancel', ids: ['request-1'] };

  test('that succeeds shows no message, and the page reads its data again', async () => {
    const readQueues = vi.fn<PageDeps['readQueues']>(async () => queuesView());
    const store = storeWith({ readQueues });
    expect(await store.change(cancel)).toBe(true);
    expect(store.flash.value).toBeNull();
    expect(readQueues).toHaveBeenCalledOnce();
  });

  test.each<[string, () => Promise<unknown>, string]>([
    ['is refused', async () => ({ ok: false, code: 'storage_full' }), 'refusal_storage_full'],
    ['gets no reply', () => Promise.reject(new Error('gone')), 'noReply'],
  ])('that %s shows why until the next success', async (_what, reply, text) => {
    const ask = vi.fn().mockImplementationOnce(reply).mockResolvedValue(SUCCESS);
    const store = storeWith({ ask });
    expect(await store.change(cancel)).toBe(false);
    expect(store.flash.value?.text).toContain(text);
    await store.change(cancel);
    expect(store.flash.value).toBeNull();
  });

  test('that is refused shows why even if the page cannot read its data again', async () => {
    const ask = vi.fn().mockResolvedValue({ ok: false, code: 'internal' });
    const store = storeWith({ ask, readQueues: () => Promise.reject(new Error('The queues could not be read.')) });
    expect(await store.change(cancel)).toBe(false);
    expect(store.flash.value?.text).toContain('refusal_internal');
  });
});

describe('access to a host', () => {
  test('is requested only for that host, and resumes the queue', async () => {
    browser.permissions.request.mockResolvedValue(true);
    const deps = testDeps({ requestHost: PAGE_DEPS.requestHost });
    const store = createPageStore(deps, queuesView());
    expect(await store.allowAccess(CONNECTION)).toBe(true);
    expect(browser.permissions.request.mock.calls).toEqual([[{ origins: ['https://links.example.com/*'] }]]);
    expect(deps.asked).toEqual([{ type: 'try-now', connectionId: CONNECTION.id }]);
  });

  test('that is denied shows a message until it is granted', async () => {
    const requestHost = vi.fn<PageDeps['requestHost']>().mockResolvedValueOnce(false).mockResolvedValue(true);
    const deps = testDeps({ requestHost });
    const store = createPageStore(deps, queuesView());
    expect(await store.allowAccess(CONNECTION)).toBe(false);
    expect(store.flash.value).toEqual({ text: '[permissionDenied]' });
    expect(deps.asked).toEqual([]);
    await store.allowAccess(CONNECTION);
    expect(store.flash.value).toBeNull();
  });
});

describe('the network', () => {
  const { sendMessage } = browser.runtime;
  let online = true;
  const go = (isOnline: boolean) => {
    online = isOnline;
    dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
  };

  test('is followed, and its return is sent to the background worker, which receives no event', () => {
    sendMessage.mockRejectedValue(new Error('closed'));
    const store = storeWith({ isOnline: () => online });
    const stop = store.start();
    go(false);
    expect(store.online.value).toBe(false);
    expect(sendMessage).not.toHaveBeenCalled();
    go(true);
    expect(store.online.value).toBe(true);
    expect(sendMessage.mock.calls).toEqual([[{ type: 'online' }]]);
    stop();
    go(true);
    expect(sendMessage).toHaveBeenCalledOnce();
  });
});

test('a page announces a repeated text again', () => {
  const page = storeWith({});
  page.announce('Copied');
  const first = page.announced.value;
  page.announce('Copied');
  expect(page.announced.value).not.toBe(first);
  expect(page.announced.value.trim()).toBe('Copied');
});
