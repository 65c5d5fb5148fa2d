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
