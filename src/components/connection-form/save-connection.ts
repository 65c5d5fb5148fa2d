import { keepHostPermissions, requestHostPermission } from '../../browser/host-permissions.ts';
import { t } from '../../format/i18n.ts';
import { notShortenableMessage } from '../../format/status-text.ts';
import { sendToBackground } from '../../messages/ask-background.ts';
import type { ConnectionReport, Message, RefusalCode } from '../../messages/protocol.ts';
import { readQueues } from '../stored-data.ts';
import type { CheckedDraft } from './connection-draft.ts';

/** `denied`: the user refused the host permission. `lost`: the background worker never replied. */
export type Failure = RefusalCode | 'denied' | 'lost';

export type Answer<T> = { ok: true; value: T } | { ok: false; code: Failure };

/** Returns the message for a change that failed. */
export function failureSentence(code: Failure): string {
  if (code === 'denied') return t('permissionDenied');
  return code === 'lost' ? t('noReply') : notShortenableMessage(code);
}

/** Returns the background worker's reply, or the code `lost` if the worker never replied. */
export async function answerTo<T = null>(message: Message): Promise<Answer<T>> {
  try {
    return await sendToBackground<T>(message);
  } catch {
    return { ok: false, code: 'lost' };
  }
}

/** Name of the lock that pages share while they request permissions and save connections. */
const SAVING = 'saving-connection';

/**
 * Removes the host permissions that no connection needs any more. Keeps all if the connections cannot be read, or if
 * a page is saving a connection, because the user may have granted its permission before it is stored.
 */
async function removeUnneededPermissions(): Promise<void> {
  await navigator.locks.request(SAVING, { ifAvailable: true }, async (lock) => {
    const view = lock && (await readQueues().catch(() => null));
    if (view) await keepHostPermissions(view.queues.map(({ connection }) => connection.baseUrl));
  });
}

/** A connection as entered in a form. `connectionId` is null for a new connection. */
type ConnectionInput = CheckedDraft & { connectionId: string | null; name: string };

/**
 * Asks the user for permission to access the server, tests the connection without using quota, and stores it unless
 * the server refuses the key. Must be called in the click handler, so that it can request the permission.
 */
export async function saveConnection(input: ConnectionInput): Promise<Answer<ConnectionReport>> {
  const permission = requestHostPermission(input.baseUrl);
  const answer = await navigator.locks.request(SAVING, { mode: 'shared' }, async () => {
    if (!(await permission)) return { ok: false, code: 'denied' } as const;
    return answerTo<ConnectionReport>({ type: 'save-connection', ...input });
  });
  await removeUnneededPermissions();
  return answer;
}

/** Removes a connection and cancels its requests. */
export async function forgetConnection(connectionId: string): Promise<Answer<null>> {
  const answer = await answerTo({ type: 'forget-connection', connectionId });
  await removeUnneededPermissions();
  return answer;
}
