import { expect, test, vi } from 'vitest';
import { storedData } from '../../../src/components/stored-data.ts';

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

test('changes during a read cause only one more read, even if the read fails', async () => {
  const reads: PromiseWithResolvers<string>[] = [];
  const stored = storedData('old', () => {
    const read = Promise.withResolvers<string>();
    reads.push(read);
    return read.promise;
  });
  let changed = () => {};
  stored.follow((listener) => {
    changed = listener;
    return () => undefined;
  });
  await vi.waitFor(() => expect(reads).toHaveLength(1));
  for (const _ of [1, 2, 3]) changed();
  const asked = stored.refresh();
  reads[0]?.resolve('first');
  await vi.waitFor(() => expect(reads).toHaveLength(2));
  expect(stored.value.value).toBe('first');
  for (const _ of [1, 2, 3]) changed();
  reads[1]?.reject(new Error('The data could not be read.'));
  await expect(asked).rejects.toThrow('The data could not be read.');
  await vi.waitFor(() => expect(reads).toHaveLength(3));
  reads[2]?.resolve('third');
  await vi.waitFor(() => expect(stored.value.value).toBe('third'));
  expect(reads).toHaveLength(3);
  changed();
  await vi.waitFor(() => expect(reads).toHaveLength(4));
});
