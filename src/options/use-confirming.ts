import { useEffect, useMemo } from 'preact/hooks';
import type { DataHandlers } from '../data/handlers.ts';
import { confirmImported } from '../history/confirm-imported.ts';
import type { Connection } from '../queue/types.ts';

/**
 * Has services confirm what a file brought: after each import, and whenever a connection is there that was not, or has another
 * key. Nobody has to open the links page for a link of their own to be given again.
 *
 * @param enabled false in a private window, where what is read could be kept nowhere, and without a network
 */
export function useConfirming(connections: Connection[], enabled: boolean, handlers: DataHandlers): DataHandlers {
  const asked = enabled ? connections : [];
  const key = JSON.stringify(asked.map(({ id, baseUrl, lastFour, service }) => [id, baseUrl, lastFour, service]));
  useEffect(() => void confirmImported(asked), [key]);
  return useMemo(
    () => ({
      ...handlers,
      add: async (...file) => {
        const answer = await handlers.add(...file);
        if (answer.ok) void confirmImported(asked);
        return answer;
      },
    }),
    [handlers, key],
  );
}
