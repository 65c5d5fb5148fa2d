import { diskNow } from './disk-now.ts';
import type { World } from './world.ts';

/** Returns the promises to the user that are broken after recovery. */
export function brokenPromises(world: World): string[] {
  const { links, requests } = diskNow();
  const broken = [...world.broken];
  const isIdempotent = world.services.every(({ kind }) => kind !== 'spec-only');
  for (const id of world.accepted) {
    const found = [...links, ...requests].filter((one) => one.id === id).length;
    if (found === 0) broken.push(`no accepted request is lost: ${id}`);
    if (found > 1) broken.push(`a request ends once: ${id}`);
  }
  for (const { id, shortUrl } of links) {
    const copied = world.copied.get(id);
    if (copied !== undefined && copied !== shortUrl)
      broken.push(`a copied short URL works, or its request fails: ${id}`);
  }
  for (const { id, state } of requests) {
    const mayBe = state === 'failed' || (state === 'uncertain' && !isIdempotent);
    if (!mayBe) broken.push(`every request ends: ${id} is ${state}`);
  }
  const made = world.services.flatMap((service) => service.links.map(({ url }) => url));
  for (const url of new Set(made)) {
    if (made.filter((one) => one === url).length > 1) broken.push(`no URL gets two links: ${url}`);
    const known = links.some((link) => link.url === url) || requests.some((request) => request.url === url);
    if (!known && !url.includes('hidden')) broken.push(`every created link is known to the extension: ${url}`);
  }
  if (world.memory.includes('hidden')) broken.push('no data of a private window stays in memory');
  return broken;
}
