import { failovers } from './failover.ts';
import { kills, otherServers } from './kill-processes/index.ts';
import { moves } from './move.ts';
import type { TortureOptions } from './options.ts';
import { properties } from './properties.ts';
import type { RandomTest } from './random-test.ts';

/** Returns all random tests. To add one, create a module in this folder and add it to this list. */
export function randomTestsFor(options: TortureOptions): RandomTest[] {
  if (options.only.length > 0) return [properties(options)];
  const all = [
    properties(options),
    moves(options),
    failovers,
    ...options.browsers.flatMap((name) => [kills(name), otherServers(name)]),
  ];
  return options.test === null ? all : all.filter(({ name }) => name === options.test);
}
