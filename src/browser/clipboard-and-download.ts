import browser from './browser.ts';

/**
 * Puts text on the clipboard. Firefox gives a write up when another begins before it is done: what a menu asked for is copied
 * by the background and by the popup that opens to show it, in the same moment. Chromium refuses one of a page that has not
 * got the focus yet, as a popup that just opens. So it is tried once more, with the focus.
 *
 * @throws where the browser refuses
 */
export function writeClipboard(text: string): Promise<void> {
  const write = () => navigator.clipboard.writeText(text);
  return write().catch(() => focused().then(write));
}

/** Resolves once the page has the focus, which comes at once or not at all. */
async function focused(): Promise<void> {
  if (document.hasFocus()) return;
  await new Promise((resolve) => {
    addEventListener('focus', resolve, { once: true });
    setTimeout(resolve, 3000);
  });
}

/** What the background sends the offscreen document, with the text beside it. */
export const COPY_MESSAGE = 'copy-offscreen';

const PAGE = 'src/pages/offscreen/index.html';

/** One copy at a time: Chrome allows an extension a single offscreen document. */
let last: Promise<unknown> = Promise.resolve();

/** Puts text on the clipboard, with no page of ours open. Returns whether it is there; never throws. */
export function copyText(text: string): Promise<boolean> {
  const copying = last.then(() => (globalThis.chrome?.offscreen ? copyOffscreen(text) : copyHere(text)));
  last = copying;
  return copying;
}

/** Firefox's background is a page, and may write by itself. */
async function copyHere(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Chrome's background has no clipboard: a document that nobody sees does it, and is gone again. */
async function copyOffscreen(text: string): Promise<boolean> {
  const { offscreen, runtime } = chrome;
  try {
    const open = await runtime.getContexts({ contextTypes: [runtime.ContextType.OFFSCREEN_DOCUMENT] });
    if (open.length === 0) {
      const reasons = [offscreen.Reason.CLIPBOARD];
      await offscreen.createDocument({ url: PAGE, reasons, justification: 'Copies a short URL.' });
    }
    return (await browser.runtime.sendMessage({ type: COPY_MESSAGE, text })) === true;
  } catch {
    return false;
  } finally {
    await offscreen.closeDocument().catch(() => undefined);
  }
}

/** Hands the person a file to keep. */
export function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  // The download reads the blob after this turn; a minute is far beyond what it takes to start.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
