import { useEffect, useState } from 'preact/hooks';
import browser from '../platform/browser.ts';
import type { Toolbar } from './handlers.ts';

/** Which browser this is, as far as its toolbar goes. */
export async function readToolbar(): Promise<Toolbar> {
  const { os } = await browser.runtime.getPlatformInfo();
  if (os === 'android') return 'none';
  // Firefox alone can be asked who it is.
  return 'getBrowserInfo' in browser.runtime ? 'firefox' : 'chrome';
}

/** Whether the icon stands in the toolbar, as the browser tells; null: it does not. */
async function readPinned(): Promise<boolean | null> {
  const settings = await browser.action.getUserSettings?.().catch(() => null);
  return settings?.isOnToolbar ?? null;
}

/** How often the browser is asked whether the icon is pinned: not every browser tells. */
const ASKED_EVERY_MS = 1_000;

/** Whether the icon stands in the toolbar, kept up to date. */
export function usePinned(): boolean | null {
  const [pinned, setPinned] = useState<boolean | null>(null);
  useEffect(() => {
    const read = () => void readPinned().then(setPinned);
    read();
    const timer = setInterval(read, ASKED_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return pinned;
}
