import { FEATURE } from '@terse/contract/features';
import { readLinks } from '../messages/read.ts';
import { has } from '../queue/features.ts';
import { givesOut } from '../queue/gives-out.ts';
import type { Connection } from '../queue/types.ts';
import { countLinksHere } from '../storage/read.ts';
import { refreshHistory } from './refresh-history.ts';

const NONE = { ofNoConnection: 0 };

/**
 * Reads the lists of the services that give out short URLs which only a file tells of: what they name is given again from then
 * on. Never throws: what fails here is made up for by the links page.
 */
export async function confirmImported(connections: Connection[]): Promise<void> {
  const listing = connections.filter((one) => has(one, FEATURE.links));
  // To find what is imported takes every link: not where there is none of no connection, or nobody to be asked about it.
  const { ofNoConnection } = listing.length > 0 ? await countLinksHere().catch(() => NONE) : NONE;
  if (ofNoConnection === 0) return;
  const links = await readLinks(false).catch(() => []);
  const imported = links.filter(({ unconfirmed }) => unconfirmed);
  const asked = listing.filter((one) => imported.some(({ shortUrl }) => givesOut(one, shortUrl)));
  await Promise.allSettled(asked.map((connection) => refreshHistory(connection, () => {})));
}
