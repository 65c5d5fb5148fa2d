import type { Chromium } from '../../../scripts/browsers/chromium.ts';
import { evaluateIn, type Target, targets } from '../../../scripts/browsers/targets.ts';
import { until } from './until.ts';

export type WorkerBrowser = Pick<Chromium, 'cdp' | 'extensionId'>;

/** Returns the extension's background worker if it is awake. */
export async function worker({ cdp, extensionId }: WorkerBrowser): Promise<Target | undefined> {
  const all = await targets(cdp);
  return all.find(({ type, url }) => type === 'service_worker' && url.startsWith(`chrome-extension://${extensionId}/`));
}

/**
 * Stops the background worker abruptly, as the browser does with an idle worker, and waits until the worker has
 * stopped.
 */
export async function killWorker(browser: WorkerBrowser): Promise<void> {
  const alive = await worker(browser);
  if (!alive) return;
  await browser.cdp.send('Target.closeTarget', { targetId: alive.targetId });
  await until('the worker to stop', async () => (await worker(browser))?.targetId !== alive.targetId);
}

/** Evaluates an expression in the background worker, which must be awake or about to start. */
export async function inWorker<T>(browser: WorkerBrowser, expression: string): Promise<T> {
  const alive = await until('the worker to be awake', () => worker(browser));
  // Chromium lists a starting background worker before its extension APIs exist.
  await until('the worker to be ready', () => evaluateIn<boolean>(browser.cdp, alive, "'chrome' in self"));
  return evaluateIn<T>(browser.cdp, alive, expression);
}
