/** Codes that were followed lately. */
export interface FollowedLinks {
  add(code: string): void;
  has(code: string): boolean;
}

/** How many codes a generation holds, which bounds the memory, and for how long, in milliseconds. */
const MOST = 20_000;
const LIFE = 1_800_000;

/**
 * Remembers codes for half an hour to an hour, or until 20,000 others came after them. The codes are in two generations, and
 * the older one is dropped as a whole; to note a time for each code would make every look-up dearer.
 */
export function createFollowedLinks(clock: () => number): FollowedLinks {
  let newer = new Set<string>();
  let older = new Set<string>();
  let startedAt = clock();

  function age(): void {
    const now = clock();
    // A clock set back starts a new generation too, or this one could last for ever.
    if (newer.size < MOST && now - startedAt < LIFE && now >= startedAt) return;
    older = now - startedAt < 2 * LIFE ? newer : new Set();
    newer = new Set();
    startedAt = now;
  }

  return {
    add(code) {
      age();
      newer.add(code);
    },
    has(code) {
      age();
      return newer.has(code) || older.has(code);
    },
  };
}
