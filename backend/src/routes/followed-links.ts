/** Codes that were followed lately. */
export interface FollowedLinks {
  add(code: string): void;
  has(code: string): boolean;
}

/** How many codes a generation holds, which bounds the memory, and for how long, in milliseconds. */
const MOST = 20_000;
const LIFE = 1_800_000;

interface Generation {
  /** Codes that are not in the set yet, some perhaps more than once. */
  codes: string[];
  known: Set<string>;
}

/**
 * Remembers codes for half an hour to an hour, or until 20,000 more were looked up. The codes are in two generations, and
 * the older one is dropped as a whole; to note a time for each code would make every look-up slower. So would a set: codes
 * are only listed, and put into a set when somebody asks for one, which is seldom.
 */
export function createFollowedLinks(clock: () => number): FollowedLinks {
  let newer = newGeneration();
  let older = newGeneration();
  let startedAt = clock();

  function age(): void {
    const now = clock();
    // A clock set back starts a new generation too, or this one could last for ever.
    if (newer.known.size + newer.codes.length < MOST && now - startedAt < LIFE && now >= startedAt) return;
    older = now - startedAt < 2 * LIFE ? newer : newGeneration();
    newer = newGeneration();
    startedAt = now;
  }

  return {
    add(code) {
      age();
      newer.codes.push(code);
    },
    has(code) {
      age();
      return includes(newer, code) || includes(older, code);
    },
  };
}

function newGeneration(): Generation {
  return { codes: [], known: new Set() };
}

function includes(generation: Generation, code: string): boolean {
  for (const listed of generation.codes) generation.known.add(listed);
  generation.codes = [];
  return generation.known.has(code);
}
