import { COPY_MESSAGE } from '../messages/copy-message.ts';
import browser from '../platform/browser.ts';

const PAGE = 'src/offscreen/index.html';

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
