import { setImmediate } from 'node:timers/promises';
import { createLinkCache } from '../../backend/src/redirects/link-cache.ts';
import { type Figure, plain } from '../figures.ts';
import { ZIPF } from './traffic.ts';

const LINKS = 10_000_000;
const PER_SECOND = 100_000;
/** Number of simulated redirects per event loop tick. */
const TICK = 1000;
const SECONDS = 15;
/** Seconds of simulated traffic that fill the cache before the measurement. */
const WARM = 10;

interface Set {
  cached: number;
  editsPerSecond: number;
  /**
   * True if the database reports which links have changed. False for older versions of the service, in which the
   * database reports only that some link has changed.
   */
  areNamed: boolean;
}

/**
 * Returns the percentage of redirects that need a database query. Uses the service's link cache with a simulated
 * clock.
 */
export async function lookUps(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const cached of [10_000, 1_000_000]) {
    for (const [editsPerSecond, areNamed] of [
      [0, true],
      [1, false],
      [1, true],
      [100, true],
    ] as const) {
      const share = await shareOf({ cached, editsPerSecond, areNamed });
      const edits =
        editsPerSecond === 0 ? 'no edits' : `${editsPerSecond} edits a second${areNamed ? '' : ', not named'}`;
      const name = `redirects that ask the database, of 10,000,000 links by Zipf's law, ${cached.toLocaleString('en')} in memory, ${edits}`;
      figures.push(plain(name, `${(100 * share).toFixed(1)} %`));
    }
  }
  return figures;
}

async function shareOf({ cached, editsPerSecond, areNamed }: Set): Promise<number> {
  let now = 0;
  let asked = 0;
  const store = {
    async resolve(code: string) {
      asked += 1;
      return { id: Number(code), url: '', expiresAt: null, deletedAt: null, forwardQuery: null };
    },
    async changesSince(last: number | null) {
      const changes = Math.floor((now / 1000) * editsPerSecond);
      const since = changes - (last ?? 0);
      return {
        changes,
        codes: areNamed || since === 0 ? Array.from({ length: since }, () => String(ZIPF(LINKS))) : null,
      };
    },
  };
  const cache = createLinkCache(store, { most: cached, monotonic: () => now });
  for (let done = 0; done < SECONDS * PER_SECOND; done += TICK) {
    now = (1000 * done) / PER_SECOND;
    if (done === WARM * PER_SECOND) asked = 0;
    for (let at = 0; at < TICK; at += 1) {
      const code = String(ZIPF(LINKS));
      if (!cache.peek(code)) cache.fetch(code);
    }
    await setImmediate();
  }
  return asked / ((SECONDS - WARM) * PER_SECOND);
}

export async function memoryOfLinks(): Promise<Figure> {
  const links = 200_000;
  const url = 'https://www.example.com/articles/2026/07/000000000001/index.html?ref=7';
  const cache = createLinkCache(
    {
      // Creates a new string for each link, as a database driver does. Otherwise, all links would share one string,
      // and the measured memory usage would be too low.
      resolve: async (code) => ({
        id: Number(code),
        url: Buffer.from(url).toString(),
        expiresAt: null,
        deletedAt: null,
        forwardQuery: null,
      }),
      changesSince: async () => ({ changes: 0, codes: [] }),
    },
    { most: links },
  );
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let time = 0; time < 2; time += 1) {
    for (let at = 0; at < links; at += TICK) {
      await Promise.all(Array.from({ length: TICK }, (_, index) => cache.fetch(String(at + index + 1_000_000))));
    }
  }
  globalThis.gc?.();
  const each = (process.memoryUsage().heapUsed - before) / links;
  return plain('memory of a link at hand, with a URL of 70 bytes', `${each.toFixed(0)} bytes`);
}
