import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { batchLines } from '../../src/log/batched-lines.ts';

it('writes the lines of one tick together, in their order and once', async () => {
  const written: string[] = [];
  const lines = batchLines((text) => written.push(text));
  lines.add('one\n');
  lines.add('two\n');
  expect(written).toEqual([]);
  await setImmediate();
  expect(written).toEqual(['one\ntwo\n']);
  lines.add('three\n');
  lines.flush();
  await setImmediate();
  expect(written).toEqual(['one\ntwo\n', 'three\n']);
});
