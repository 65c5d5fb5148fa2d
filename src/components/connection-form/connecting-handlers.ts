import { removeHostPermission, requestHostPermission } from '../../browser/host-permissions.ts';
import { t } from '../../format/i18n.ts';
import { notShortenableMessage } from '../../format/status-text.ts';
import { sendToBackgroundWithRetry } from '../../messages/ask-background.ts';
import type { ConnectionReport, Message, RefusalCode } from '../../messages/protocol.ts';
import type { VisibleQueues } from '../../queue/types.ts';
import type { CheckedDraft } from './connection-draft.ts';

/** `denied`: the user refused the host permission. `lost`: the background worker never replied. */
export type Failure = RefusalCode | 'denied' | 'lost';

export type Answer<T> = { ok: true; value: T } | { ok: false; code: Failure };

/** Returns the message for a connection that could not be tested or saved. */
export function failureSentence(code: Failure): string {
  if (code === 'denied') return t('permissionDenied');
  return code === 'lost' ? t('noReply') : notShortenableMessage(code);
}

/** Returns the background worker's reply, or the code `lost` if the worker never replied. */
export async function answerTo<T = null>(message: Message): Promise<Answer<T>> {
  try {
    return await sendToBackgroundWithRetry<T>(message);
  } catch {
    return { ok: false, code: 'lost' };
  }
}

/** A connection as entered in a form. `connectionId` is null for a new connection. */
export type ConnectionInput = CheckedDraft & { connectionId: string | null; name: string };

/**
 * Tests and saves connections. Asks the browser for permissions and sends messages to the background worker.
 *
 * @param before addresses of the stored connections when the page was rendered
 * @param refresh re-reads the queues
 */
export function connectingHandlers(before: string[], refresh: () => Promise<VisibleQueues>) {
  const giveBackUnused = async (addresses: string[]) => {
    const view = await refresh().catch(() => null);
    // If the connections cannot be read, it is unknown which permissions are still needed.
    if (!view) return;
    const connected = view.queues.map(({ connection }) => connection.baseUrl);
    for (const address of new Set(addresses)) await removeHostPermission(address, connected);
  };
  /** Probes a server. If the server is not connected afterwards, the host permission is removed again. */
  const probe = async (message: Message, address: string): Promise<Answer<ConnectionReport>> => {
    if (!(await requestHostPermission(address))) return { ok: false, code: 'denied' };
    const answer = await answerTo<ConnectionReport>(message);
    await giveBackUnused([address, ...before]);
    return answer;
  };
  return {
    /** Asks the user for permission to access the server, and then tests the connection without using quota. */
    test: ({ name: _, ...input }: ConnectionInput) => probe({ type: 'test-connection', ...input }, input.baseUrl),
    /** Tests a connection like `test`, and then stores the connection unless the server refuses the key. */
    save: (input: ConnectionInput) => probe({ type: 'save-connection', ...input }, input.baseUrl),
    giveBackUnused,
  };
}

/** Actions of a connection form. They must be called in the click handler, so that they can request permissions. */
export type ConnectingHandlers = Omit<ReturnType<typeof connectingHandlers>, 'giveBackUnused'>;
