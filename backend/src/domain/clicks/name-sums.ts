import { increase, type Names } from './names.ts';
import type { OpenNames } from './stored.ts';

/** Adds up the names of many days. */
export interface NameSums {
  add(names: OpenNames): void;
  sum(): Names;
}

/**
 * The names of one day are mostly those of the day before. Then their counts are added index by index, and the names are
 * looked up once for all such days.
 */
export function createNameSums(): NameSums {
  const sums: Names = new Map();
  let run: OpenNames | null = null;

  function endRun(): void {
    if (!run) return;
    const names = run.line.split('\t');
    for (const [index, clicks] of run.counts.entries()) increase(sums, names[index] as string, clicks);
    run = null;
  }

  return {
    add({ line, counts }) {
      if (counts.length === 0) return;
      if (run?.line === line) {
        for (let index = 0; index < counts.length; index += 1) (run.counts[index] as number) += counts[index] as number;
        return;
      }
      endRun();
      run = { line, counts };
    },
    sum() {
      endRun();
      return sums;
    },
  };
}
