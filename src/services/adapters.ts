import type { Server } from './call-server.ts';
import { chhotoAdapter } from './chhoto/adapter.ts';
import { type KnownService, kindOf } from './connection-capabilities.ts';
import { kuttAdapter } from './kutt/adapter.ts';
import type { Fetch, ServiceAdapter, ServiceKind } from './service-adapter.ts';
import { shlinkAdapter } from './shlink/adapter.ts';
import { sinkAdapter } from './sink/adapter.ts';
import { specificationAdapter, terseAdapter } from './terse/adapter.ts';
import { yourlsAdapter } from './yourls/adapter.ts';

export const ADAPTERS: Record<ServiceKind, ServiceAdapter> = {
  terse: terseAdapter,
  specification: specificationAdapter,
  kutt: kuttAdapter,
  yourls: yourlsAdapter,
  sink: sinkAdapter,
  shlink: shlinkAdapter,
  chhoto: chhotoAdapter,
};

function adapterOf(connection: KnownService): ServiceAdapter {
  return ADAPTERS[kindOf(connection)];
}

/** Fields of a connection that are needed to send requests to its server. */
export interface CallableService extends KnownService {
  baseUrl: string;
  domain?: string;
}

/**
 * Returns the adapter for a connection, with the data that the adapter needs.
 *
 * @param now current time in milliseconds
 */
export function openServer(fetch: Fetch, connection: CallableService, apiKey: string, now: number): Server {
  const { baseUrl, service, domain = null } = connection;
  return { fetch, adapter: adapterOf(connection), context: { baseUrl, apiKey, domain, service, now } };
}
