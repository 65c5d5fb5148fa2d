import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../backend/src/config/environment.ts';
import { dayOf, startOf } from '../../backend/src/domain/analytics/day-counts.ts';
import { systemRandom } from '../../backend/src/domain/clock-and-random.ts';
import { startService } from '../../backend/src/server/start-service.ts';
import type { Store } from '../../backend/src/store/open-store.ts';
import { openStore } from '../../backend/src/store/open-store.ts';

/** Short code, URL and title of a link, and the number of clicks on its busiest day. */
export type PicturedLink = readonly [code: string, url: string, title: string, height: number];

export interface PictureService {
  service: Awaited<ReturnType<typeof startService>>;
  store: Awaited<ReturnType<typeof openStore>>;
  stop(): Promise<void>;
}

const NAMES = {
  referrers: ['news.example.org', '', 'search.example', 'social.example'],
  browsers: ['Firefox', 'Chrome', 'Safari', 'Edge'],
  systems: ['Windows', 'Android', 'iOS', 'Linux'],
  devices: ['desktop', 'mobile', 'tablet'],
  countries: ['DE', 'FR', 'US', 'JP'],
};

/**
 * Starts the real service in this process with links and a month of clicks. Its database is in a temporary folder.
 *
 * @param now fixed time of the service. The default is the real time.
 */
export async function startPictureService(
  links: readonly PicturedLink[],
  { now, settings = {} }: { now?: number; settings?: Record<string, string> } = {},
): Promise<PictureService> {
  const folder = mkdtempSync(join(tmpdir(), 'terse-pictures-'));
  const config = readConfig({
    TERSE_LISTEN: '127.0.0.1:0',
    TERSE_SHORT_LISTEN: '127.0.0.1:0',
    TERSE_SHORT_BASE_URL: 'https://go.example.com',
    TERSE_DATABASE: `file:${join(folder, 'terse.db')}`,
    ...settings,
  });
  const started = now ?? Date.now();
  const clock = () => now ?? Date.now();
  const store = await openStore(config.database, started);
  const service = await startService({ config, store, clock, random: systemRandom, log: () => {}, version: '0.1.0' });
  for (const [at, [code, url, title, height]] of links.entries()) {
    const createdAt = started - (links.length + 26 - at) * 86_400_000;
    const draft = { codes: [code], url, title, expiresAt: null, forwardQuery: null, tags: [] };
    const made = await store.links.create(1, draft, createdAt);
    if (made) await addMonth(store, made.id, height, started);
  }
  await service.clicks.settle();
  return {
    service,
    store,
    async stop() {
      await service.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/**
 * Stores the clicks of thirty days, with more clicks on workdays. The clicks are not random, so that the screenshots
 * stay the same.
 */
async function addMonth({ clicks }: Store, link: number, height: number, now: number): Promise<void> {
  for (let ago = 0; ago < 30; ago += 1) {
    const day = dayOf(now) - ago;
    const weekend = [2, 3].includes(day % 7) ? 0.35 : 1;
    const people = Math.round(height * weekend * (1 + 0.6 * Math.sin(ago / 3)) + ((ago * 7) % 5));
    await clicks.salt(day, new Uint8Array(16));
    await clicks.add({
      process: `pictures ${link} ${day}`,
      number: 1,
      clicks: Array.from({ length: people + (ago % 4) }, (_, at) => ({
        link,
        at: startOf(day, 12),
        visitor: Math.floor(at * 0.8),
        bot: at >= people,
        referrer: nameAt(NAMES.referrers, at),
        browser: nameAt(NAMES.browsers, at),
        system: nameAt(NAMES.systems, at),
        device: nameAt(NAMES.devices, at),
        country: nameAt(NAMES.countries, at),
      })),
    });
  }
}

/** Returns one of the names. The first names are returned more often than the last ones. */
function nameAt(names: readonly string[], at: number): string {
  const part = ((at * 7) % 10) / 10;
  return names[Math.floor(part * part * names.length)] as string;
}
