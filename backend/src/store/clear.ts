import { setImmediate as turn } from 'node:timers/promises';
import type { Store } from './store.ts';

/** Links cleared away in one transaction: few enough that redirects hardly wait. */
const PORTION = 100;

/** Clears away all that removed accounts owned. What is left by a stop is cleared by the next round. */
export async function clearRemoved({ accounts }: Pick<Store, 'accounts'>, now: number): Promise<void> {
  while (await accounts.clear(PORTION, now)) await turn();
}
