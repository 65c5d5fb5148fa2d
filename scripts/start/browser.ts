import { type Chromium, startChromium } from '../browsers/chromium.ts';
import { findChromium } from '../browsers/find.ts';

/** Opens a Chromium window with the extension on a profile that is kept; null where there is no screen or Chromium. */
export async function openBrowser(extension: string, profile: string): Promise<Chromium | null> {
  const executable = hasScreen() ? findChromium() : null;
  if (!executable) return null;
  return startChromium({
    executable,
    extension,
    profile,
    // Chromium refuses to start for root with its sandbox.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}

function hasScreen(): boolean {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}
