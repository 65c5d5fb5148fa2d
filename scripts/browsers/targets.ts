import type { Cdp } from './cdp.ts';

/** A page, tab or worker of the browser. */
export interface Target {
  targetId: string;
  type: string;
  url: string;
}

/**
 * Returns everything that the browser runs. `type` filters it, and is needed for types that are hidden by default,
 * such as 'tab'.
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

/** Evaluates an expression in a target and returns its awaited value. Attached only for that time. */
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
