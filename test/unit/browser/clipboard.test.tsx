import '../../gallery/stubbed.ts';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import { copyText } from '../../../src/browser/clipboard-and-download.ts';
import { useClipboard } from '../../../src/components/copy-button.tsx';
import { useErrorToast } from '../../../src/components/error-toast.tsx';
import { render } from '../support/render.ts';

// @vitest-environment happy-dom

const URL_MADE = 'https://go.example/a';

let page: ReturnType<typeof usePage>;
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

function usePage() {
  const flashing = useErrorToast(async () => undefined);
  return { ...flashing, clipboard: useClipboard(flashing.copy) };
}

function Page() {
  page = usePage();
  return null;
}

beforeEach(async () => {
  held = '';
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(writeText);
  await render(<Page />);
});

test.each([true, false])(
  'a page reports the copied link even if the background copies at the same time (quietly: %s)',
  async (quietly) => {
    await act(async () => {
      page.clipboard.copy(URL_MADE, quietly);
      await copyText(URL_MADE);
    });
    await vi.waitFor(() => expect(page.clipboard.copied).toBe(URL_MADE));
    expect(page.flash).toBeNull();
    expect(held).toBe(URL_MADE);
  },
);

test('a page without focus copies when it receives the focus', async () => {
  const hasFocus = vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  vi.mocked(navigator.clipboard.writeText).mockImplementation(async (text) => {
    if (!document.hasFocus()) throw new DOMException('Document is not focused.', 'NotAllowedError');
    held = text;
  });
  page.clipboard.copy(URL_MADE, true);
  await vi.waitFor(() => expect(navigator.clipboard.writeText).toHaveBeenCalledOnce());
  hasFocus.mockReturnValue(true);
  await act(async () => {
    window.dispatchEvent(new Event('focus'));
  });
  await vi.waitFor(() => expect(page.clipboard.copied).toBe(URL_MADE));
  expect(held).toBe(URL_MADE);
});

test('a page copies international domains in readable form', async () => {
  const [first, second] = ['https://xn--krz-hoa.example/a', 'https://s.example/b'];
  page.clipboard.copy(`${first}\n${second}`, true);
  await vi.waitFor(() => expect(page.clipboard.copied).toBe(`${first}\n${second}`));
  expect(held).toBe(`https://kürz.example/a\n${second}`);
});
