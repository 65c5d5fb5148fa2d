import type { ConnectionReport } from '../../../src/messages/protocol.ts';
import type { Player } from './player.ts';

/** Saves a connection, and returns its id. */
export async function connect(player: Player, baseUrl: string, apiKey: string): Promise<string> {
  const reply = await player.ask<ConnectionReport>({
    type: 'save-connection',
    connectionId: null,
    name: '',
    baseUrl,
    apiKey,
  });
  if (!reply.ok || !reply.value.connectionId)
    throw new Error(`The connection could not be saved: ${JSON.stringify(reply)}`);
  return reply.value.connectionId;
}
