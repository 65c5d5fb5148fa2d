import { failovers } from './failover.ts';
import { kills } from './kill-processes/index.ts';
import type { TortureOptions } from './options.ts';
import { powerLosses } from './power-loss.ts';
import { properties, simulations } from './properties.ts';
import type { RandomTest } from './random-test.ts';
import { serviceFaults } from './service-faults/index.ts';

/** Returns all random tests. To add one, create a module in this folder and add it to this list. */
export function randomTestsFor(options: TortureOptions): RandomTest[] {
  if (options.only.length > 0) return [properties(options)];
  const recorded = [serviceFaults('sqlite', options.record), serviceFaults('postgres', options.record)];
  const others = [properties(options), simulations, failovers, powerLosses, kills('chromium'), kills('firefox')];
  const all = options.record === null ? [...others, ...recorded] : recorded;
  return options.test === null ? all : all.filter(({ name }) => name === options.test);
}
