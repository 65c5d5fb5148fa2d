import type { Time } from './types.ts';

export type Clock = () => Time;

/** The time of this life of the background: it starts at the computer's clock and from then on runs evenly. */
export function startClock(): Clock {
  const lifetime = crypto.randomUUID();
  const born = Date.now() - performance.now();
  return () => ({ now: Math.round(born + performance.now()), lifetime });
}
