import { expect, it } from 'vitest';
import { createPendingUploads, type PendingUpload } from '../../src/dashboard/imports/pending-uploads.ts';
import { systemRandom } from '../../src/domain/clock-and-random.ts';

it('one file per account is stored and all others are closed, even if several arrive at once', async () => {
  const waiting = createPendingUploads({ clock: () => 0, random: systemRandom, isStopping: () => false });
  const closed: string[] = [];
  const closing = Promise.withResolvers<void>();
  const file = (name: string, end = Promise.resolve()) => {
    const close = async () => {
      await end;
      closed.push(name);
    };
    return { upload: { close }, survey: {} } as unknown as PendingUpload;
  };
  await waiting.add(1, file('first', closing.promise));
  const kept = [waiting.add(1, file('second')), waiting.add(1, file('third'))];
  closing.resolve();
  const tokens = await Promise.all(kept);
  expect(closed.sort()).toEqual(['first', 'second']);
  expect(tokens.map((token) => waiting.take(1, token) !== null)).toEqual([false, true]);
});
