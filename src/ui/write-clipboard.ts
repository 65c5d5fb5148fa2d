/**
 * Puts text on the clipboard. Firefox gives a write up when another begins before it is done: what a menu asked for is copied
 * by the background and by the popup that opens to show it, in the same moment. So it is tried once more.
 *
 * @throws where the browser refuses
 */
export function writeClipboard(text: string): Promise<void> {
  const write = () => navigator.clipboard.writeText(text);
  return write().catch(write);
}
