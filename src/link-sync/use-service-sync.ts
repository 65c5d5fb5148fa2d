import { useCallback, useEffect, useState } from 'preact/hooks';
import { sendToBackgroundWithRetry } from '../messages/ask-background.ts';
import type { SyncResult } from '../messages/protocol.ts';
import type { Connection } from '../queue/types.ts';
import type { ServiceProblem } from '../servers/adapter.ts';
import { capabilitiesOf, kindOf } from '../servers/capabilities.ts';
import { onSyncProgress } from '../storage/change-broadcast.ts';

export interface SyncState {
  reading: number | null;
  problem: ServiceProblem | null;
}

export const IDLE: SyncState = { reading: null, problem: null };

/** Syncs the links of all services when the page opens, when a connection changes, and when the browser is back online. */
export function useServiceSync(connections: Connection[], online: boolean) {
  const [states, setStates] = useState<ReadonlyMap<string, SyncState>>(new Map());

  const read = useCallback(async (connection: Connection) => {
    const set = (state: SyncState) => setStates((all) => new Map(all).set(connection.id, state));
    set({ reading: 0, problem: null });
    const stop = onSyncProgress((id, reading) => id === connection.id && set({ reading, problem: null }));
    const reply = await sendToBackgroundWithRetry<SyncResult>({ type: 'sync-links', connectionId: connection.id })
      .catch(() => null)
      .finally(stop);
    const result = reply?.ok ? reply.value : ({ problem: 'unreachable' } as const);
    set({ reading: null, problem: result && 'problem' in result ? result.problem : null });
  }, []);

  const readable = connections.filter((connection) => capabilitiesOf(connection).list);
  const key = JSON.stringify(readable.map((one) => [one.id, kindOf(one), one.baseUrl, one.lastFour]));
  useEffect(() => {
    if (online) for (const connection of readable) void read(connection);
  }, [key, online, read]);

  return { states, read };
}
