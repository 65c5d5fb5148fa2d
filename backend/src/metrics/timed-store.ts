import type { Store } from '../store/interface/store.ts';

type Operation = (...values: unknown[]) => Promise<unknown>;

/**
 * Wraps all database operations to measure their duration.
 *
 * @param observe called with the name of the operation, such as `links.resolve`, and its duration in seconds
 */
export function timedStore(store: Store, observe: (operation: string, seconds: number) => void): Store {
  const { servingProcesses, writeLock, close, ...parts } = store;

  function timed(name: string, operation: Operation): Operation {
    return async (...values) => {
      const start = performance.now();
      try {
        return await operation(...values);
      } finally {
        observe(name, (performance.now() - start) / 1000);
      }
    };
  }

  const all = Object.entries(parts).map(([name, part]) => {
    const operations = Object.entries(part) as [string, Operation][];
    return [name, Object.fromEntries(operations.map(([key, run]) => [key, timed(`${name}.${key}`, run)]))];
  });
  return { ...(Object.fromEntries(all) as typeof parts), servingProcesses, writeLock, close };
}
