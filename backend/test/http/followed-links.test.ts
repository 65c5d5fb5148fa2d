import { expect, it } from 'vitest';
import { createFollowedLinks } from '../../src/redirects/guessing-limit.ts';

const HALF_AN_HOUR = 1_800_000;

it('a followed code is remembered for between half an hour and an hour', () => {
  let now = 1_800_000_000_000;
  const followed = createFollowedLinks(() => now);
  followed.add('a');
  expect([followed.has('a'), followed.has('b')]).toEqual([true, false]);
  now += HALF_AN_HOUR;
  expect(followed.has('a')).toBe(true);
  now += HALF_AN_HOUR;
  expect(followed.has('a')).toBe(false);
  followed.add('b');
  now += 2 * HALF_AN_HOUR;
  expect(followed.has('b')).toBe(false);
});

it('a followed code is forgotten after many others were followed', () => {
  const followed = createFollowedLinks(() => 0);
  followed.add('first');
  for (let others = 0; others < 20_000; others += 1) followed.add(`other ${others}`);
  expect(followed.has('first')).toBe(true);
  for (let others = 0; others < 20_000; others += 1) followed.add(`another ${others}`);
  expect(followed.has('first')).toBe(false);
});

it('a followed code is forgotten in time even if the clock is set back', () => {
  let now = 1_000_000_000;
  const followed = createFollowedLinks(() => now);
  followed.add('a');
  now = 0;
  followed.has('a');
  now += 2 * HALF_AN_HOUR;
  expect(followed.has('a')).toBe(false);
});
