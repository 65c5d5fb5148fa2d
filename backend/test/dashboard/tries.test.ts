import { describe, expect, it } from 'vitest';
import { createTries } from '../../src/dashboard/tries.ts';
import { NOON } from '../support/store.ts';

const DAY = 86_400_000;

function tries() {
  const clock = { now: NOON };
  const { draw, know } = createTries(() => clock.now);
  return { clock, draw, know };
}

/** How many tries get through within a time, where a client tries again as soon as it may. */
function throughput({ clock, draw }: ReturnType<typeof tries>, clients: string[], milliseconds: number): number {
  const end = clock.now + milliseconds;
  let through = 0;
  for (; clock.now < end; clock.now += 1000) {
    for (const client of clients) if (draw('ada', client) === 0) through += 1;
  }
  return through;
}

describe('tries to sign in', () => {
  it('of one client at one name are few at once, then one a minute', () => {
    const { clock, draw } = tries();
    expect(Array.from({ length: 9 }, () => draw('ada', 'here'))).toEqual([...Array(8).fill(0), 60]);
    clock.now += 59_000;
    expect(draw('ada', 'here')).toBe(1);
    clock.now += 1000;
    expect(draw('ada', 'here')).toBe(0);
  });

  it('of one client at many names are bounded too', () => {
    const { draw } = tries();
    const waits = Array.from({ length: 21 }, (_, at) => draw(`name${at}`, 'here'));
    expect(waits).toEqual([...Array(20).fill(0), 5]);
  });

  it('of a stranger leave the name open for everybody elsewhere', () => {
    const all = tries();
    for (let at = 0; at < 1000; at += 1) {
      all.draw('ada', 'stranger');
      all.clock.now += 1000;
    }
    expect(Array.from({ length: 8 }, () => all.draw('ada', 'holder'))).toEqual(Array(8).fill(0));
    // Nor do four strangers together ever use the name up.
    throughput(all, ['a', 'b', 'c', 'd'], DAY / 4);
    expect(all.draw('ada', 'elsewhere')).toBe(0);
  });

  it('of the whole world at one name are no more than some six thousand a day', () => {
    const clients = Array.from({ length: 500 }, (_, at) => `client${at}`);
    expect(throughput(tries(), clients, DAY / 24)).toBeLessThanOrEqual(100 + 240 + 1);
  });

  it('of the whole world do not hold up who has signed in from where they are', () => {
    const all = tries();
    all.draw('ada', 'home');
    all.know('ada', 'home');
    for (let at = 0; at < 200; at += 1) all.draw('ada', `client${at}`);
    expect(all.draw('ada', 'abroad')).toBe(15);
    expect(all.draw('ada', 'home')).toBe(0);
    // There too, only a few at once.
    expect(Array.from({ length: 7 }, () => all.draw('ada', 'home')).at(-1)).toBeGreaterThan(0);
    expect(all.draw('grace', 'home')).toBe(0);
  });
});
