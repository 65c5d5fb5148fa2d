import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** What Node itself keeps with a connection. To keep it once more would cost every redirect. */
interface NodeConnection {
  _httpMessage?: ServerResponse | null;
  parser?: { incoming?: IncomingMessage | null } | null;
}

/** The answer that is to be sent next on a connection; null where none is due. */
export function responseUnderWay(socket: Duplex): ServerResponse | null {
  return (socket as NodeConnection)._httpMessage ?? null;
}

/** The request that came last on a connection, until it is answered. */
export function latestRequest(socket: Duplex): IncomingMessage | null {
  return (socket as NodeConnection).parser?.incoming ?? null;
}
