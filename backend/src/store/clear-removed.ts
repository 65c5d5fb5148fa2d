import { setImmediate as tick } from 'node:timers/promises';
import type { Store } from './store.ts';

/** Rows cleared away in one transaction: few enough that redirects hardly wait. */
const PORTION = 200;

/** Clears away all that removed accounts owned. What is left by a stop is cleared by the next round. */
export async function clearRemoved(
  { accounts }: Pick<Store, 'accounts'>,
  now: number,
  isStopping = () => false,
): Promise<void> {
  while (!isStopping() && (await accounts.clear(PORTION, now))) await tick();
}
