import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { runPeriodically } from '../src/maintenance/maintenance.ts';

it('a periodic task never runs two rounds at once', async () => {
  let running = 0;
  let most = 0;
  let rounds = 0;
  const stop = runPeriodically(
    1,
    async () => {
      running += 1;
      most = Math.max(most, running);
      await sleep(15);
      running -= 1;
      rounds += 1;
    },
    'now',
  );
  await expect.poll(() => rounds).toBeGreaterThan(3);
  await stop();
  expect(most).toBe(1);
});

it('a periodic task ends after the current round, and begins no other', async () => {
  const round = Promise.withResolvers<void>();
  let rounds = 0;
  const work = () => {
    rounds += 1;
    return round.promise;
  };
  const stop = runPeriodically(1, work, 'now');
  let isEnded = false;
  const ended = stop().then(() => {
    isEnded = true;
  });
  await sleep(20);
  expect(isEnded).toBe(false);
  round.resolve();
  await ended;
  await sleep(20);
  expect(rounds).toBe(1);
});
