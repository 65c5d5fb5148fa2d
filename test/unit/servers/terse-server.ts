import type { Destination, ServiceInfo } from '../../../src/servers/adapter.ts';
import { openServer, type Server } from '../../../src/servers/call-server.ts';
import type { Fetch } from '../../../src/servers/http.ts';

export const NOW = Date.UTC(2026, 2, 28, 9, 30);

/** Returns a server with our API, as a connection would use it. */
export function terseServer(
  { baseUrl, apiKey }: Destination,
  { fetch = globalThis.fetch, service = null }: { fetch?: Fetch; service?: ServiceInfo | null } = {},
): Server {
  return openServer(fetch, { kind: 'terse', baseUrl, service }, apiKey, NOW);
}
