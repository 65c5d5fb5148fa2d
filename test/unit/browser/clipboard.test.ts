import '../../gallery/stubbed.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import { copyText, saveFile, writeClipboard } from '../../../src/browser/clipboard-and-download.ts';
import { createPageStore, type PageStore } from '../../../src/components/page-store.ts';
import { queuesView } from '../../gallery/fixtures.ts';
import { testDeps } from '../../gallery/page-deps.ts';

// @vitest-environment happy-dom

const URL_MADE = 'https://go.example/a';

let copier: PageStore;
let held = '';
let overtake: (() => void) | null = null;

/** Like Firefox, rejects a write if another write starts before the first has ended. */
function writeText(text: string): Promise<void> {
  overtake?.();
  return new Promise((resolve, reject) => {
    const mine = () => reject(new DOMException('Clipboard write is not allowed.', 'NotAllowedError'));
    overtake = mine;
    setTimeout(() => {
      if (overtake !== mine) return;
      overtake = null;
      held = text;
      resolve();
    });
  });
}

beforeEach(() => {
  held = '';
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(writeText);
  copier = createPageStore(testDeps({ writeClipboard }), queuesView());
});

test('a page reports the copied link even if the background copies at the same time', async () => {
  await Promise.all([copier.copy(URL_MADE), copyText(URL_MADE)]);
  expect(copier.copied.value).toBe(URL_MADE);
  expect(copier.flash.value).toBeNull();
  expect(held).toBe(URL_MADE);
});

test('the background copies one text after another', async () => {
  expect(await Promise.all([copyText(URL_MADE), copyText('https://go.example/b')])).toEqual([true, true]);
  expect(held).toBe('https://go.example/b');
});

test('a page without focus copies when it receives the focus', async () => {
  const hasFocus = vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  vi.mocked(navigator.clipboard.writeText).mockImplementation(async (text) => {
    if (!document.hasFocus()) throw new DOMException('Document is not focused.', 'NotAllowedError');
    held = text;
  });
  const copying = copier.copy(URL_MADE, true);
  await vi.waitFor(() => expect(navigator.clipboard.writeText).toHaveBeenCalledOnce());
  hasFocus.mockReturnValue(true);
  window.dispatchEvent(new Event('focus'));
  await copying;
  expect(copier.copied.value).toBe(URL_MADE);
  expect(held).toBe(URL_MADE);
});

test('a page copies international domains in readable form', async () => {
  const [first, second] = ['https://xn--krz-hoa.example/a', 'https://s.example/b'];
  await copier.copy(`${first}\n${second}`, true);
  expect(copier.copied.value).toBe(`${first}\n${second}`);
  expect(held).toBe(`https://kürz.example/a\n${second}`);
});

test('if the browser refuses to copy, a page shows the text for manual copying', async () => {
  vi.mocked(navigator.clipboard.writeText).mockRejectedValue(new Error('Write permission denied.'));
  await copier.copy(URL_MADE);
  expect(copier.flash.value).toEqual({ text: expect.stringContaining('blocked'), url: URL_MADE });
  vi.mocked(navigator.clipboard.writeText).mockResolvedValue();
  await copier.copy(URL_MADE);
  expect(copier.flash.value).toBeNull();
});

test('a saved file stays readable until the download has started', () => {
  vi.useFakeTimers();
  const revoke = vi.spyOn(URL, 'revokeObjectURL');
  saveFile(new Blob(['links']), 'links.csv');
  vi.advanceTimersByTime(1_000);
  expect(revoke).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(revoke).toHaveBeenCalledOnce();
  vi.useRealTimers();
});
