import type { LinkChanges } from '../history/edit-link.ts';
import type { Connection } from '../queue/types.ts';
import { type Blocked, ownShortUrls, typedTarget } from '../target/target.ts';

/** Changes with their URL as it goes out, or why it is none: a service has one sentence for all of that. */
export function cleanChanges(changes: LinkChanges, connections: Connection[]): LinkChanges | { blocked: Blocked } {
  if (changes.url === undefined) return changes;
  const target = typedTarget(changes.url, ownShortUrls(connections.map(({ service }) => service?.shortBaseUrl)));
  return 'blocked' in target ? target : { ...changes, url: target.url };
}
