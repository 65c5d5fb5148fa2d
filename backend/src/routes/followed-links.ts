/** Codes that were followed lately. */
export interface FollowedLinks {
  add(code: string): void;
  has(code: string): boolean;
}

/** How many codes a generation holds, which bounds the memory, and for how long, in milliseconds. */
const MOST = 20_000;
const LIFE = 1_800_000;

/**
 * Remembers codes for half an hour to an hour, or until 20,000 others came after them. In two generations, the older of
 * which is dropped as a whole: noting the time of each code would cost every look-up more.
 */
export function createFollowedLinks(clock: () => number): FollowedLinks {
  let newer = new Set<string>();
  let older = new Set<string>();
  let startedAt = clock();

  function age(): void {
    const now = clock();
    // A clock set back starts a generation too, or the one at hand could last for ever.
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
