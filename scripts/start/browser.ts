import { existsSync } from 'node:fs';
import { type Chromium, startChromium } from '../browsers/chromium.ts';
import { findChromium } from '../browsers/find.ts';
import { reloadExtension } from '../browsers/reload.ts';

/** Opens a Chromium window with the extension on a profile that is kept; null where there is no screen or Chromium. */
export async function openBrowser(extension: string, profile: string): Promise<Chromium | null> {
  const executable = hasScreen() ? findChromium() : null;
  if (!executable) return null;
  const wasThere = existsSync(profile);
  const chromium = await startChromium({
    executable,
    extension,
    profile,
    // Chromium refuses to start for root with its sandbox.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  // It may have been built anew since.
  if (wasThere) await reloadExtension(chromium);
  return chromium;
}

function hasScreen(): boolean {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}
