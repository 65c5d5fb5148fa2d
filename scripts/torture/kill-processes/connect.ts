import type { ConnectionReport } from '../../../src/messages/protocol.ts';
import type { SimulatedUser } from './simulated-user.ts';

/** Saves a connection and returns its id. */
export async function connect(user: SimulatedUser, baseUrl: string, apiKey: string): Promise<string> {
  const reply = await user.ask<ConnectionReport>({
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
