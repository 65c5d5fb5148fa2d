import type { BenchBrowser } from './browser.ts';
import { EMPTY_PAGE } from './extensions.ts';
import { LINKS_SHOWN, NO_LINKS_SHOWN } from './messages-and-pages.ts';
import { byTurns, type Compared } from './rounds.ts';
import { fillLinks } from './seed.ts';

export const LINKS = 10_000;

/**
 * Milliseconds from the start of the navigation until the links page shows what there is: the first of ten thousand links,
 * or that there are none. `full` has one link already, after whose pattern the others are made.
 */
export async function compareLinksPage(full: BenchBrowser, empty: BenchBrowser, rounds: number): Promise<Compared> {
  const page = await full.open(`chrome-extension://${full.extensionId}/${EMPTY_PAGE}`);
  await fillLinks(page, LINKS);
  await page.close();
  return byTurns(
    rounds,
    () => timeUntil(full, LINKS_SHOWN),
    () => timeUntil(empty, NO_LINKS_SHOWN),
  );
}

async function timeUntil(browser: BenchBrowser, isShown: string): Promise<number> {
  const { cdp, extensionId } = browser;
  const { targetId } = await cdp.send<{ targetId: string }>('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await cdp.send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true });
  const send = <T>(method: string, params: object = {}) => cdp.send<T>(method, params, sessionId);
  await send('Page.enable');
  // Asked in every frame that is painted: the time is that of the frame which shows it.
  const source = `globalThis.shown = new Promise((resolve) => {
    const ask = () => ((${isShown}) ? resolve(performance.now()) : requestAnimationFrame(ask));
    requestAnimationFrame(ask);
  })`;
  await send('Page.addScriptToEvaluateOnNewDocument', { source });
  await send('Page.navigate', { url: `chrome-extension://${extensionId}/src/links/index.html` });
  const { result } = await send<{ result: { value: number } }>('Runtime.evaluate', {
    expression: 'globalThis.shown',
    awaitPromise: true,
    returnByValue: true,
  });
  await cdp.send('Target.closeTarget', { targetId });
  return result.value;
}
