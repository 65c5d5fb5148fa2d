/** There is no room to wait. */
export class GateFull extends Error {
  override name = 'GateFull';
}

/** Lets work through, some of it at once. */
export type Gate = <Value>(work: () => Promise<Value>) => Promise<Value>;

/**
 * @param atOnce how much work is under way at once; the rest waits, first come first served
 * @param waiting how much work waits at most; what comes then is refused with GateFull
 */
export function createGate(atOnce: number, waiting: number): Gate {
  const queue: (() => void)[] = [];
  let underWay = 0;

  function next(): void {
    const start = queue.shift();
    if (start) start();
    else underWay -= 1;
  }

  return async (work) => {
    if (underWay < atOnce) underWay += 1;
    else if (queue.length < waiting) await new Promise<void>((start) => queue.push(start));
    else throw new GateFull('Too much of this is waiting already.');
    try {
      return await work();
    } finally {
      next();
    }
  };
}
