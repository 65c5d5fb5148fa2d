import { diskNow } from './disk-now.ts';
import type { World } from './world.ts';

/** Returns the promises to the user that are broken after recovery. */
export function brokenPromises({ accepted, broken, service }: World): string[] {
  const { links, requests } = diskNow();
  const found = [...broken];
  for (const id of accepted) {
    const { length } = [...links, ...requests].filter((one) => one.id === id);
    if (length !== 1) found.push(`an accepted request is stored once: ${id} is stored ${length} times`);
  }
  for (const { id, state } of requests) {
    // The service with all features recognizes repeated requests.
    const mayBe = state === 'failed' || (state === 'uncertain' && service.info === null);
    if (!mayBe) found.push(`every request ends: ${id} is ${state}`);
  }
  const made = service.links.map(({ url }) => url);
  if (new Set(made).size < made.length) found.push(`no URL gets two links: ${made.join()}`);
  for (const url of made) {
    const isKnown = [...links, ...requests].some((one) => one.url === url);
    if (!isKnown) found.push(`every created link is known to the extension: ${url}`);
  }
  return found;
}
