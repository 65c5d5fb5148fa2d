import type { Connection } from '../queue/types.ts';
import { type CallableService, openServer } from '../services/adapters.ts';
import { probeResult, probeServer } from '../services/call-server.ts';
import { detectKind } from '../services/detect-kind.ts';
import type { Fetch, Probe, ProbeResult, ServiceKind } from '../services/service-adapter.ts';

interface Keyed {
  connection: Connection;
  apiKey: string;
}

/**
 * Probes a connection's server. First detects the kind of server if no earlier probe recognized the server, for
 * example because a gateway had responded instead of the server.
 *
 * @param now current time in milliseconds
 */
export async function probeConnection(fetch: Fetch, { connection, apiKey }: Keyed, now: number): Promise<ProbeResult> {
  const { probe, kind } = await findAndProbe(fetch, connection, apiKey, now);
  const result = probeResult(probe);
  return result && kind && kind !== connection.kind ? { ...result, kind } : result;
}

type Found = Pick<Connection, 'lastSeenWellAt'> & CallableService;

/**
 * Probes a server. If the kind of server is unknown, first detects the kind.
 *
 * @returns the result of the probe, and the kind of server. The kind is undefined if no third-party server, such as
 * YOURLS, was detected.
 */
export async function findAndProbe(
  fetch: Fetch,
  connection: Found,
  apiKey: string,
  now: number,
): Promise<{ probe: Probe; kind: ServiceKind | undefined }> {
  const { kind: known, service, lastSeenWellAt, baseUrl } = connection;
  const isKnown = known !== undefined || service !== null || lastSeenWellAt !== null;
  const detected = isKnown ? known : await detectKind(fetch, baseUrl, now);
  if (detected === 'unavailable') return { kind: undefined, probe: { reached: false, problem: 'unavailable' } };
  const kind = detected ?? undefined;
  const target = kind ? { ...connection, kind } : connection;
  return { kind, probe: await probeServer(openServer(fetch, target, apiKey, now)) };
}
