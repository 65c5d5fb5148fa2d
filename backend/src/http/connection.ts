import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** What Node keeps with a connection, and reads where it has to know the same; noting it again would cost every redirect. */
interface NodeConnection {
  _httpMessage?: ServerResponse | null;
  parser?: { incoming?: IncomingMessage | null } | null;
}

/** The answer whose turn it is on a connection; null where none is due. */
export function responseUnderWay(socket: Duplex): ServerResponse | null {
  return (socket as NodeConnection)._httpMessage ?? null;
}

/** The request that came last on a connection, until it is answered. */
export function latestRequest(socket: Duplex): IncomingMessage | null {
  return (socket as NodeConnection).parser?.incoming ?? null;
}
