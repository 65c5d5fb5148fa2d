import { keepAtMost } from '../domain/bounded-map.ts';
import { visitorHash } from '../domain/clicks/visitors.ts';

/** The hash of the visitor with this address and user agent. */
export type Visitors = (salt: string, address: string, agent: string) => number;

/** How many addresses are remembered with their hashes, and user agents of each. Only in memory, and no longer than their salt. */
const MOST_ADDRESSES = 5000;
const MOST_AGENTS = 50;

/** A visitor who returns on the same day has the same hash, and looking it up costs a tenth of computing it. */
export function createVisitors(): Visitors {
  const known = new Map<string, Map<string, number>>();
  let current = '';

  return (salt, address, agent) => {
    if (salt !== current) known.clear();
    current = salt;
    let agents = known.get(address);
    const before = agents?.get(agent);
    if (before !== undefined) return before;
    const made = visitorHash(salt, address, agent);
    if (!agents || agents.size >= MOST_AGENTS) {
      agents = new Map();
      keepAtMost(known, MOST_ADDRESSES, address, agents);
    }
    agents.set(agent, made);
    return made;
  };
}
