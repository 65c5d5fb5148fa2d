import { quietArguments } from '../../../test/e2e/harness/chromium.ts';
import { SHIPPED, withLoopbackGranted } from '../../../test/e2e/harness/extension-copy.ts';
import { killWorker } from '../../../test/e2e/harness/pages.ts';
import { until } from '../../../test/e2e/harness/until.ts';
import { startChromium } from '../../browsers/chromium.ts';
import { findChromium } from '../../browsers/find.ts';
import { evaluateIn } from '../../browsers/targets.ts';
import type { BrowserKind, RunningBrowser } from './simulated-user.ts';

/**
 * Controls Chromium only through its debugging pipe, because a browser driver would attach to the background worker
 * and keep it alive.
 */
export const CHROMIUM: BrowserKind = {
  extension: () => withLoopbackGranted(SHIPPED.chrome),
  async start(extension, profile): Promise<RunningBrowser> {
    const executable = findChromium();
    if (!executable) throw new Error('Chromium was not found. Run `npm test` to install it.');
    const args = ['--headless=new', ...quietArguments([]), 'about:blank'];
    const chromium = await startChromium({ executable, profile, extension, args });
    const { cdp, extensionId } = chromium;
    const url = `chrome-extension://${extensionId}/src/pages/links/index.html`;
    const { targetId } = await cdp.send<{ targetId: string }>('Target.createTarget', { url });
    const page = { targetId, type: 'page', url };
    const isLoaded = `location.href === '${url}' && document.readyState === 'complete'`;
    await until(`${url} to load`, () => evaluateIn<boolean>(cdp, page, isLoaded).catch(() => false));
    return {
      page: { evaluate: (expression) => evaluateIn(cdp, page, expression) },
      killBackground: () => killWorker(chromium),
      kill: chromium.kill,
    };
  },
};
