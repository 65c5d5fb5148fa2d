import browser from './browser.ts';

/**
 * Maximum waiting time of a request whose link the background worker copies. After a longer wait, the user may have
 * copied something else.
 */
export const COPIED_WITHIN_MS = 60_000;

/**
 * Lets an extension page copy text to the clipboard. If the write fails, retries once after the page receives the
 * focus.
 *
 * Firefox cancels a clipboard write when another one starts, for example a copy by the background worker. Chromium
 * rejects a write from a page without focus, such as a popup that is just opening.
 *
 * @throws if the browser rejects the second write too
 */
export function writeClipboard(text: string): Promise<void> {
  const write = () => navigator.clipboard.writeText(text);
  return write().catch(() => focused().then(write));
}

/** Resolves when the page has the focus, or after 3 seconds at the latest. */
async function focused(): Promise<void> {
  if (document.hasFocus()) return;
  await new Promise((resolve) => {
    addEventListener('focus', resolve, { once: true });
    setTimeout(resolve, 3000);
  });
}

/** Type of the message that sends text from the background worker to the offscreen document. */
export const COPY_MESSAGE = 'copy-offscreen';

const OFFSCREEN_PAGE = 'src/pages/offscreen/index.html';

/** Chromium can lose a text that was copied just before its document is closed. */
const CLOSE_DELAY_MS = 2_000;
let closing: ReturnType<typeof setTimeout> | undefined;

/** Settles when the latest copy or the closing has ended. The next copy waits for it: both use the same document. */
let lastCopy: Promise<unknown> = Promise.resolve();

/** Lets the background worker copy text to the clipboard. Returns true on success. Never throws. */
export function copyText(text: string): Promise<boolean> {
  const copying = lastCopy.then(() => (globalThis.chrome?.offscreen ? copyOffscreen(text) : copyDirectly(text)));
  lastCopy = copying;
  return copying;
}

/** Copies text with the Clipboard API. This works in Firefox, whose background script runs in a document. */
async function copyDirectly(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Copies text through an invisible (offscreen) document, because Chromium's background worker cannot access the
 * clipboard.
 */
async function copyOffscreen(text: string): Promise<boolean> {
  const { offscreen, runtime } = chrome;
  clearTimeout(closing);
  try {
    const open = await runtime.getContexts({ contextTypes: [runtime.ContextType.OFFSCREEN_DOCUMENT] });
    if (open.length === 0) {
      const reasons = [offscreen.Reason.CLIPBOARD];
      await offscreen.createDocument({ url: OFFSCREEN_PAGE, reasons, justification: 'Copies a short URL.' });
    }
    return (await browser.runtime.sendMessage({ type: COPY_MESSAGE, text })) === true;
  } catch {
    return false;
  } finally {
    closing = setTimeout(() => {
      lastCopy = offscreen.closeDocument().catch(() => undefined);
    }, CLOSE_DELAY_MS);
  }
}

export function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  // The download starts after this function returns, so the URL must stay valid until then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
