import { shownText } from '../platform/text.ts';
import type { Connection } from '../queue/types.ts';
import { shown } from './addresses.ts';

/**
 * What each connection is called, by its id: the person's name for it, else its host. Two that would read the same are
 * told apart by the end of their keys.
 */
export function connectionNames(connections: Connection[]): Map<string, string> {
  const plain = connections.map(({ name, baseUrl }) => shownText(name) || shown(baseUrl).host);
  return new Map(
    connections.map(({ id, lastFour }, index) => {
      const name = plain[index] ?? '';
      const isAlone = plain.filter((one) => one === name).length === 1;
      return [id, isAlone ? name : `${name} (…${lastFour})`];
    }),
  );
}
