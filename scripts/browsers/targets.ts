import { setTimeout as pause } from 'node:timers/promises';
import type { Cdp } from './cdp.ts';
import type { Chromium } from './chromium.ts';

export interface Target {
  targetId: string;
  type: string;
  url: string;
}

/**
 * Returns the browser's targets of one type, such as pages or workers. Without `type`, returns all targets except
 * those of hidden types, such as 'tab'.
 */
export async function targets(cdp: Cdp, type?: string): Promise<Target[]> {
  const filter = type ? { filter: [{ type }] } : {};
  const { targetInfos } = await cdp.send<{ targetInfos: Target[] }>('Target.getTargets', filter);
  return targetInfos;
}

interface Evaluation {
  result: { value?: unknown };
  exceptionDetails?: { text: string; exception?: { description?: string } };
}

/** Attaches to a target, evaluates an expression, and detaches. Returns the awaited value. */
export async function evaluateIn<T>(cdp: Cdp, { targetId }: Target, expression: string): Promise<T> {
  const { sessionId } = await cdp.send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true });
  const evaluation = await cdp.send<Evaluation>(
    'Runtime.evaluate',
    { expression, awaitPromise: true, returnByValue: true },
    sessionId,
  );
  await cdp.send('Target.detachFromTarget', { sessionId });
  const { result, exceptionDetails } = evaluation;
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as T;
}

/** Returns the extension's background worker if it is awake. */
export async function workerOf({
  cdp,
  extensionId,
}: Pick<Chromium, 'cdp' | 'extensionId'>): Promise<Target | undefined> {
  const workers = (await targets(cdp)).filter(({ type }) => type === 'service_worker');
  return workers.find(({ url }) => url.startsWith(`chrome-extension://${extensionId}/`));
}

/**
 * Stops the extension's background worker abruptly, as the browser does with an idle worker, and waits until it has
 * stopped.
 */
export async function killWorker(browser: Pick<Chromium, 'cdp' | 'extensionId'>): Promise<void> {
  const alive = await workerOf(browser);
  if (!alive) return;
  await browser.cdp.send('Target.closeTarget', { targetId: alive.targetId });
  while ((await workerOf(browser))?.targetId === alive.targetId) await pause(20);
}
