import type { Link } from '../queue/types.ts';
import { announceChange } from './changes.ts';
import type { Database } from './database.ts';
import { readPrivate, writePrivate } from './private-memory.ts';
import type { Wanted } from './view.ts';

/** The latest links, newest first; every one where no `count` is given. */
export async function latestLinks(database: Database, count = Number.POSITIVE_INFINITY): Promise<Link[]> {
  if (count === Number.POSITIVE_INFINITY) return (await database.getAllFromIndex('links', 'createdAt')).reverse();
  const links: Link[] = [];
  let cursor = await database.transaction('links').store.index('createdAt').openCursor(null, 'prev');
  while (cursor && links.length < count) {
    links.push(cursor.value);
    cursor = await cursor.continue();
  }
  return links;
}

/** The newest link of each URL and the links of the ids, among those `remembered` (newest first) and those on disk. */
export async function linksAbout(
  database: Database,
  remembered: Link[],
  { urls = [], ids = [] }: Wanted,
): Promise<Link[]> {
  const byUrl = urls.map(async (url) => {
    const kept = await database.getAllFromIndex('links', 'url', url);
    return remembered.find((link) => link.url === url) ?? kept.sort(newerFirst)[0];
  });
  const byId = ids.map(async (id) => remembered.find((link) => link.id === id) ?? (await database.get('links', id)));
  const found = (await Promise.all([...byUrl, ...byId])).filter((link) => link !== undefined);
  return [...new Map(found.map((link) => [link.id, link])).values()].sort(newerFirst);
}

function newerFirst(one: Link, other: Link): number {
  return other.createdAt - one.createdAt;
}

/** Takes a link out of the history here; the short URL itself goes on working. For `Store.exclusively`. */
export async function removeLink(database: Database, id: string): Promise<void> {
  await database.delete('links', id);
  const memory = await readPrivate();
  if (memory.links.some((link) => link.id === id)) {
    await writePrivate({ ...memory, links: memory.links.filter((link) => link.id !== id) });
  }
  await announceChange();
}

/** Takes every link out of the history here, those that private windows keep in memory too. */
export async function clearLinks(database: Database): Promise<void> {
  await database.clear('links');
  await clearPrivateLinks();
  await announceChange();
}

/** Forgets the links of private windows. For `Store.exclusively`. */
export async function clearPrivateLinks(): Promise<void> {
  const memory = await readPrivate();
  if (memory.links.length > 0) await writePrivate({ ...memory, links: [] });
}
