import { beforeEach, describe, expect, test, vi } from 'vitest';
import { hostPattern } from '../../../src/browser/host-permissions.ts';
import { readQueues } from '../../../src/components/stored-data.ts';
import { NoReply, sendToBackground } from '../../../src/messages/ask-background.ts';
import type { Message } from '../../../src/messages/protocol.ts';
import { readLinks } from '../../../src/storage/load-page-data.ts';
import { freshDisk } from '../support/disk.ts';
import { browser } from '../support/fake-browser.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

beforeEach(() => {
  freshDisk();
  browser.extension.inIncognitoContext = false;
});

describe('asking the background', () => {
  test('returns its reply, including errors', async () => {
    for (const reply of [
      { ok: true, value: null },
      { ok: false, code: 'too_late' },
    ]) {
      browser.runtime.sendMessage.mockResolvedValueOnce(reply);
      expect(await sendToBackground({ type: 'online' })).toEqual(reply);
    }
    expect(browser.runtime.sendMessage).toHaveBeenCalledWith({ type: 'online' });
  });

  test('that stops before it replies throws NoReply', async () => {
    const cause = new Error('The message port closed before a response was received.');
    browser.runtime.sendMessage.mockResolvedValueOnce(undefined).mockRejectedValueOnce(cause);
    await expect(sendToBackground({ type: 'online' })).rejects.toThrow(NoReply);
  });
});

describe('sending with a retry', () => {
  test('sends again if the background stopped', async () => {
    browser.runtime.sendMessage.mockResolvedValueOnce(undefined).mockResolvedValueOnce({ ok: true, value: null });
    expect(await sendToBackground({ type: 'cancel', ids: ['request-a'] })).toEqual({ ok: true, value: null });
    expect(browser.runtime.sendMessage).toHaveBeenCalledTimes(2);
  });

  test.each<Message>([
    { type: 'retry', id: 'request-a', isUncertain: true },
    { type: 'shorten-privately', id: 'a', url: '', title: '', connectionId: null, options: null, anew: false, at: 7 },
  ])('does not send `$type` twice', async (message) => {
    browser.runtime.sendMessage.mockResolvedValueOnce(undefined);
    await expect(sendToBackground(message)).rejects.toThrow(NoReply);
    expect(browser.runtime.sendMessage).toHaveBeenCalledTimes(1);
  });
});

describe('a page reads', () => {
  test('from the database, without the background', async () => {
    expect(await readQueues()).toEqual({ queues: [] });
    expect(await readLinks()).toEqual([]);
    expect(await readLinks()).toEqual([]);
    expect(browser.runtime.sendMessage).not.toHaveBeenCalled();
  });

  test('the queues through the background, in a private window that has a separate database', async () => {
    browser.extension.inIncognitoContext = true;
    browser.runtime.sendMessage.mockResolvedValue({ ok: true, value: 'what was read' });
    expect(await readQueues()).toBe('what was read');
    expect(browser.runtime.sendMessage).toHaveBeenLastCalledWith({ type: 'read-queues' });
  });

  test('and throws if the background refuses', async () => {
    browser.extension.inIncognitoContext = true;
    browser.runtime.sendMessage.mockResolvedValueOnce({ ok: false, code: 'internal' });
    await expect(readQueues()).rejects.toThrow('internal');
  });
});

test.each([
  ['https://links.example.com', 'https://links.example.com/*'],
  ['https://links.example.com:8443/path', 'https://links.example.com/*'],
  ['http://127.0.0.1:8787', 'http://127.0.0.1/*'],
])('the permission for %s is %s: only that host, without a port', (baseUrl, pattern) => {
  expect(hostPattern(baseUrl)).toBe(pattern);
});
