import type { Server } from './call-server.ts';
import { type KnownService, kindOf } from './known-service.ts';
import { kuttAdapter } from './kutt/adapter.ts';
import type { Fetch, ServiceAdapter, ServiceKind } from './service-adapter.ts';
import { sinkAdapter } from './sink/adapter.ts';
import { specificationAdapter, terseAdapter } from './terse/adapter.ts';
import { yourlsAdapter } from './yourls/adapter.ts';

/** Marks a kind that has no adapter yet. */
const NOT_YET = null;

/** The adapter of each kind. */
export const ADAPTERS: Record<ServiceKind, ServiceAdapter | null> = {
  terse: terseAdapter,
  specification: specificationAdapter,
  kutt: kuttAdapter,
  yourls: yourlsAdapter,
  sink: sinkAdapter,
  shlink: NOT_YET,
  chhoto: NOT_YET,
};

/** Returns the adapter for a connection's server. */
export function adapterOf(connection: KnownService): ServiceAdapter {
  const kind = kindOf(connection);
  const adapter = ADAPTERS[kind];
  if (!adapter) throw new RangeError(`The kind ${kind} has no adapter.`);
  return adapter;
}

/** Part of a connection that is needed to call its server. */
export interface CallableService extends KnownService {
  baseUrl: string;
}

/**
 * Returns the adapter of a connection together with what it needs to know.
 *
 * @param now current time in milliseconds
 */
export function openServer(fetch: Fetch, connection: CallableService, apiKey: string, now: number): Server {
  const { baseUrl, service } = connection;
  return { fetch, adapter: adapterOf(connection), context: { baseUrl, apiKey, domain: null, service, now } };
}
