import { setTimeout as sleep } from 'node:timers/promises';

const DAY = 86_400_000;

/** How long a test takes at most for what must be done within one day, in milliseconds. */
const LONGEST_TEST = 30_000;

/** Quotas and visitors begin anew at 00:00 UTC by the machine's clock: a test that counts on one day must not run across that. */
export async function awayFromMidnight(): Promise<void> {
  const left = () => DAY - (Date.now() % DAY);
  while (left() < LONGEST_TEST) await sleep(left());
}
