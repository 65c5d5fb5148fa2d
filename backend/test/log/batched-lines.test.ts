import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { batchLines } from '../../src/log/json-log.ts';

it('the log writes the lines of one tick together, in order and once', async () => {
  const written: string[] = [];
  const lines = batchLines((text) => written.push(text));
  lines.add('one\n', 'info');
  lines.add('two\n', 'info');
  expect(written).toEqual([]);
  await setImmediate();
  expect(written).toEqual(['one\ntwo\n']);
  lines.add('three\n', 'info');
  lines.flush();
  await setImmediate();
  expect(written).toEqual(['one\ntwo\n', 'three\n']);
});

it.each(['warn', 'error'] as const)('the log writes a %s line at once, after the buffered lines', async (level) => {
  const written: string[] = [];
  const lines = batchLines((text) => written.push(text));
  lines.add('before\n', 'info');
  lines.add('urgent\n', level);
  expect(written).toEqual(['before\nurgent\n']);
  lines.add('after\n', 'info');
  await setImmediate();
  expect(written).toEqual(['before\nurgent\n', 'after\n']);
});
