import { failovers } from './failover.ts';
import { kills, otherServers } from './kill-processes/index.ts';
import { moves } from './move.ts';
import type { TortureOptions } from './options.ts';
import { powerLosses } from './power-loss.ts';
import { properties } from './properties.ts';
import type { RandomTest } from './random-test.ts';
import { serviceFaults } from './service-faults/index.ts';
import { simulations } from './simulation.ts';

/** Returns all random tests. To add one, create a module in this folder and add it to this list. */
export function randomTestsFor(options: TortureOptions): RandomTest[] {
  if (options.only.length > 0) return [properties(options)];
  const recorded = [serviceFaults('sqlite', options.record), serviceFaults('postgres', options.record)];
  const others = [
    properties(options),
    simulations,
    moves(options),
    failovers,
    powerLosses,
    ...options.browsers.flatMap((name) => [kills(name), otherServers(name)]),
  ];
  const all = options.record === null ? [...others, ...recorded] : recorded;
  return options.test === null ? all : all.filter(({ name }) => name === options.test);
}
