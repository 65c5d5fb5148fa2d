import { setTimeout as sleep } from 'node:timers/promises';

const DAY = 86_400_000;

/** Maximum duration of a test that must not run across midnight, in milliseconds. */
const LONGEST_TEST = 30_000;

/**
 * Waits if midnight UTC is near. Quotas and visitor counts reset at midnight, so some tests must run within one day.
 */
export async function awayFromMidnight(): Promise<void> {
  const left = () => DAY - (Date.now() % DAY);
  while (left() < LONGEST_TEST) await sleep(left());
}
