import type { Message, ServiceAnswer } from '../messages/messages.ts';
import type { Connection } from '../queue/types.ts';
import { sendWithRetry } from '../ui/send-with-retry.ts';

export type Call = Omit<Message & { type: 'call-service' }, 'type' | 'connectionId' | 'baseUrl'>;

/** Has the background ask a service; the key stays there. Never throws: a background that dies over it is no answer. */
export async function askService(
  { id, baseUrl }: Pick<Connection, 'id' | 'baseUrl'>,
  call: Call,
): Promise<ServiceAnswer> {
  const reply = await sendWithRetry<ServiceAnswer>({ type: 'call-service', connectionId: id, baseUrl, ...call }).catch(
    () => null,
  );
  return reply?.ok ? reply.value : { status: 0, problem: 'unreachable' };
}

/** Asks about one link, below `/api/v1/`; imported codes may hold slashes. */
export async function askAboutLink(
  connection: Pick<Connection, 'id' | 'baseUrl'>,
  family: 'urls' | 'analytics',
  shortCode: string,
  call: Omit<Call, 'path'>,
): Promise<ServiceAnswer> {
  if (!fitsPath(shortCode)) return { status: 0, problem: 'unreachable' };
  return askService(connection, { ...call, path: `${family}/${encodeURIComponent(shortCode)}` });
}

/** Whether a path can name a short code. Dots alone, escaped too, are steps through the path and would name something else. */
export function fitsPath(shortCode: string): boolean {
  return !['', '.', '..'].includes(shortCode);
}
