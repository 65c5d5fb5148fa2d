import { sendToBackgroundWithRetry } from '../messages/ask-background.ts';
import type { ServiceLinkMessage, ServiceLinkValues } from '../messages/protocol.ts';
import type { Connection, Link } from '../queue/types.ts';
import {
  type Clicks,
  type CodeUse,
  type ServiceFailure,
  type ServiceResult,
  serviceFailure,
} from '../services/link-operations.ts';

type Address = Pick<Connection, 'id' | 'baseUrl'>;
type WithoutAddress<T> = T extends unknown ? Omit<T, 'connectionId' | 'baseUrl'> : never;

/**
 * Calls a connection's service through the background worker, because only the background worker has the API key.
 * Never throws.
 */
export async function askService<T extends ServiceLinkMessage['type']>(
  { id, baseUrl }: Address,
  message: WithoutAddress<ServiceLinkMessage> & { type: T },
): Promise<ServiceResult<ServiceLinkValues[T]>> {
  const addressed = { ...message, connectionId: id, baseUrl } as ServiceLinkMessage;
  const reply = await sendToBackgroundWithRetry<ServiceResult<ServiceLinkValues[T]>>(addressed).catch(() => null);
  return reply?.ok ? reply.value : serviceFailure('unreachable');
}

/** Reads a link's click statistics from its service. */
export async function readClicks(connection: Address, { shortCode, shortUrl }: Link): Promise<Clicks | ServiceFailure> {
  const result = await askService(connection, { type: 'read-clicks', shortCode, shortUrl });
  return 'problem' in result ? result : result.value;
}

/** Asks the service whether a short code is available. */
export async function lookUpCode(connection: Address, shortCode: string): Promise<CodeUse> {
  const result = await askService(connection, { type: 'look-up-code', shortCode });
  return 'problem' in result ? 'unknown' : result.value;
}
