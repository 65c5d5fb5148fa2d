import { failovers } from './failover.ts';
import { kills, otherServers } from './kills/index.ts';
import type { Loop } from './loop.ts';
import { moves } from './move.ts';
import type { TortureOptions } from './options.ts';
import { properties } from './properties.ts';

/** Returns all loops. To add a loop, create a module in this folder and add it to this list. */
export function loopsFor(options: TortureOptions): Loop[] {
  if (options.only.length > 0) return [properties(options)];
  const all = [
    properties(options),
    moves(options),
    failovers,
    ...options.browsers.flatMap((name) => [kills(name), otherServers(name)]),
  ];
  return options.loop === null ? all : all.filter(({ name }) => name === options.loop);
}
