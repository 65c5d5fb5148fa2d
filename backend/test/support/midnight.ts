import { setTimeout as sleep } from 'node:timers/promises';

const DAY = 86_400_000;

/** Maximum time that a test needs within one day, in milliseconds. */
const LONGEST_TEST = 30_000;

/**
 * Waits if midnight UTC is near. Quotas and visitors reset then, so a test that needs one day must not run across it.
 */
export async function awayFromMidnight(): Promise<void> {
  const left = () => DAY - (Date.now() % DAY);
  while (left() < LONGEST_TEST) await sleep(left());
}
