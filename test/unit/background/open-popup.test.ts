import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DONE, flashBadge, REFUSED, updateBadge } from '../../../src/background/report-results.ts';
import { copyText } from '../../../src/browser/clipboard-and-download.ts';
import { aQueue, aRequest } from '../queue/support/queue-builders.ts';
import { freshDisk } from '../support/disk.ts';
import { browser } from '../support/fake-browser.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

beforeEach(() => {
  freshDisk();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the badge', () => {
  let waiting = 2;
  const store = {
    queues: async () => [aQueue({ requests: Array.from({ length: waiting }, (_, n) => aRequest(`${n}`)) })],
  };
  const shown = () => browser.action.setBadgeText.mock.calls.map(([{ text }]) => text);
  beforeEach(() => {
    waiting = 2;
  });

  test('has a color, and an empty badge has none', async () => {
    await updateBadge(store);
    waiting = 0;
    await updateBadge(store);
    expect(shown()).toEqual(['2', '']);
    expect(browser.action.setBadgeBackgroundColor).toHaveBeenCalledTimes(1);
    expect(browser.action.setBadgeTextColor).toHaveBeenCalledTimes(1);
  });

  test('shows a flash for a moment, and then its current text', async () => {
    await flashBadge(DONE, store);
    await updateBadge(store);
    expect(shown()).toEqual(['✓']);
    waiting = 1;
    await vi.advanceTimersByTimeAsync(2_500);
    expect(shown()).toEqual(['✓', '1']);
  });

  test('shows the second of two flashes for the full time', async () => {
    await flashBadge(DONE, store);
    await vi.advanceTimersByTimeAsync(2_000);
    await flashBadge(REFUSED, store);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(shown()).toEqual(['✓', '!']);
    await vi.advanceTimersByTimeAsync(500);
    expect(shown()).toEqual(['✓', '!', '2']);
  });
});

describe('copying in Chrome', () => {
  const documents: string[] = [];
  const offscreen = {
    Reason: { CLIPBOARD: 'CLIPBOARD' },
    createDocument: vi.fn(async ({ url }: { url: string }) => {
      if (documents.push(url) > 1) throw new Error('Only a single offscreen document may be created.');
    }),
    closeDocument: vi.fn(async () => {
      if (!documents.pop()) throw new Error('No current offscreen document.');
    }),
  };

  beforeEach(() => {
    documents.length = 0;
    const getContexts = async () => documents;
    vi.stubGlobal('chrome', { offscreen, runtime: { ContextType: { OFFSCREEN_DOCUMENT: 'x' }, getContexts } });
  });

  const closed = () => vi.advanceTimersByTimeAsync(2_000);

  test('uses an invisible document and closes it later, because Chromium can lose a text that was just copied', async () => {
    browser.runtime.sendMessage.mockResolvedValueOnce(true);
    expect(await copyText('https://s.example/a')).toBe(true);
    expect(browser.runtime.sendMessage).toHaveBeenCalledWith({ type: 'copy-offscreen', text: 'https://s.example/a' });
    expect(documents).toHaveLength(1);
    await closed();
    expect(documents).toEqual([]);
  });

  test('runs one copy at a time in the same document, because only one can exist', async () => {
    browser.runtime.sendMessage.mockResolvedValue(true);
    expect(await Promise.all(['a', 'b', 'c'].map(copyText))).toEqual([true, true, true]);
    expect(offscreen.createDocument).toHaveBeenCalledTimes(1);
  });

  test('reuses the document of a worker that died', async () => {
    documents.push('left');
    browser.runtime.sendMessage.mockResolvedValueOnce(true);
    expect(await copyText('a')).toBe(true);
    expect(offscreen.createDocument).not.toHaveBeenCalled();
  });

  test('reports a failure and closes the document', async () => {
    browser.runtime.sendMessage.mockRejectedValueOnce(new Error('nobody there'));
    expect(await copyText('a')).toBe(false);
    browser.runtime.sendMessage.mockResolvedValueOnce(false);
    expect(await copyText('a')).toBe(false);
    offscreen.createDocument.mockRejectedValueOnce(new Error('no'));
    expect(await copyText('a')).toBe(false);
    await closed();
    expect(documents).toEqual([]);
  });
});
