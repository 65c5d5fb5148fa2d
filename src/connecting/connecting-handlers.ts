import type { ConnectionReport, Message } from '../messages/messages.ts';
import type { QueuesView } from '../storage/view.ts';
import { giveBackAccess, requestAccess } from '../ui/access.ts';
import { sendWithRetry } from '../ui/send-with-retry.ts';
import type { Answer, ConnectingHandlers } from './handlers.ts';

/**
 * Probing and storing connections, over the browser and the background.
 *
 * @param before the addresses that were connected when the page was rendered
 * @param refresh reads the queues as they are now
 */
export function connectingHandlers(
  before: string[],
  refresh: () => Promise<QueuesView>,
): ConnectingHandlers & { giveBackUnused: (addresses: string[]) => Promise<void> } {
  const giveBackUnused = async (addresses: string[]) => {
    const view = await refresh().catch(() => null);
    // Where it cannot be read what is connected, nothing is given back: what was asked for is answered all the same.
    if (!view) return;
    const connected = view.queues.map(({ connection }) => connection.baseUrl);
    for (const address of new Set(addresses)) await giveBackAccess(address, connected);
  };
  /** Probes a service, connected to it then or not: where not, its permission is not kept. */
  const probe = async (message: Message, address: string, granted: () => void) => {
    if (!(await requestAccess(address))) return { ok: false, code: 'denied' } as const;
    granted();
    const answer = await answerTo<ConnectionReport>(message);
    await giveBackUnused([address, ...before]);
    return answer;
  };
  return {
    test: ({ connectionId, baseUrl, apiKey }, granted) =>
      probe({ type: 'test-connection', connectionId, baseUrl, apiKey }, baseUrl, granted),
    save: (input, granted) => probe({ type: 'save-connection', ...input }, input.baseUrl, granted),
    giveBackUnused,
  };
}

/** What the background answers, or that it never did. */
export async function answerTo<T = null>(message: Message): Promise<Answer<T>> {
  try {
    return await sendWithRetry<T>(message);
  } catch {
    return { ok: false, code: 'lost' };
  }
}
