import { FEATURE } from '@terse/contract/service-capabilities';
import { readLinks } from '../components/hooks/use-stored-data.ts';
import type { Connection } from '../queue/types.ts';
import { hasFeature } from '../services/service-adapter.ts';
import { countVisibleLinks } from '../storage/load-page-data.ts';
import { isShortUrlOf } from '../urls/shortenable-url.ts';
import { syncConnection } from './sync-service-links.ts';

const NONE = { ofNoConnection: 0 };

/**
 * Reads the lists of the services that give out short URLs which only a file tells of: what they name is given again from then
 * on. Never throws: what fails here is made up for by the links page.
 */
export async function confirmImported(connections: Connection[]): Promise<void> {
  const listing = connections.filter((one) => hasFeature(one, FEATURE.links));
  // To find what is imported takes every link: not where there is none of no connection, or nobody to be asked about it.
  const { ofNoConnection } = listing.length > 0 ? await countVisibleLinks().catch(() => NONE) : NONE;
  if (ofNoConnection === 0) return;
  const links = await readLinks(false).catch(() => []);
  const imported = links.filter(({ unconfirmed }) => unconfirmed);
  const asked = listing.filter((one) =>
    imported.some(({ shortUrl }) => isShortUrlOf(one.service?.shortBaseUrl, shortUrl)),
  );
  await Promise.allSettled(asked.map((connection) => syncConnection(connection, () => {})));
}
