import type { Cdp } from './cdp.ts';

/** One thing a browser runs: a page, a tab, a worker. */
export interface Target {
  targetId: string;
  type: string;
  url: string;
}

/** Everything the browser runs now; `type` narrows it, and alone shows the types it hides by default, as 'tab'. */
export async function targets(cdp: Cdp, type?: string): Promise<Target[]> {
  const filter = type ? { filter: [{ type }] } : {};
  const { targetInfos } = await cdp.send<{ targetInfos: Target[] }>('Target.getTargets', filter);
  return targetInfos;
}

interface Evaluation {
  result: { value?: unknown };
  exceptionDetails?: { text: string; exception?: { description?: string } };
}

/** Evaluates an expression in a target and returns its value, awaited; attached only meanwhile. */
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
