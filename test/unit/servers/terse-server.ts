import type { Destination, ServiceInfo } from '../../../src/servers/adapter.ts';
import type { Server } from '../../../src/servers/call-server.ts';
import type { Fetch } from '../../../src/servers/http.ts';
import { terseAdapter } from '../../../src/servers/terse.ts';

export const NOW = Date.UTC(2026, 2, 28, 9, 30);

/** Returns a server with our API, as a connection would use it. */
export function terseServer(
  destination: Destination,
  part: { fetch?: Fetch; service?: ServiceInfo | null; limitMs?: number } = {},
): Server {
  const { fetch = globalThis.fetch, service = null, limitMs } = part;
  const context = { ...destination, domain: null, service, now: NOW };
  return { fetch, adapter: terseAdapter, context, ...(limitMs !== undefined && { limitMs }) };
}
