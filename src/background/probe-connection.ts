import type { Connection } from '../queue/types.ts';
import type { Probe, ProbeResult, ServiceKind } from '../servers/adapter.ts';
import { type CallableService, detectKind, openServer, probeResult, probeServer } from '../servers/call-server.ts';
import { isIdempotent } from '../servers/capabilities.ts';
import type { Fetch } from '../servers/http.ts';
import { setConnectionClose } from './connection-close.ts';
import type { Target } from './queue-runner.ts';

/**
 * Probes the server of a queue. First detects the kind of server if no earlier probe recognized the server, for example
 * because a gateway had responded instead of the server.
 */
export async function probeConnection(fetch: Fetch, { connection, apiKey, now }: Target): Promise<ProbeResult> {
  const found = await findAndProbe(fetch, connection, apiKey, now);
  if (!found) return null;
  const { probe, kind } = found;
  const result = probeResult(probe);
  return result && kind && kind !== connection.kind ? { ...result, kind } : result;
}

type Found = Pick<Connection, 'lastSeenWellAt'> & CallableService;

export interface FoundServer {
  probe: Probe;
  /** Kind of server. Undefined if no third-party server, such as YOURLS, was detected. */
  kind: ServiceKind | undefined;
}

/**
 * Probes a server. If the kind of server is unknown, first detects the kind. Unless the server supports idempotency
 * keys, the browser closes the network connection after each of these requests and all later ones.
 *
 * @returns null if the browser cannot do this. The server was then not called.
 */
export async function findAndProbe(
  fetch: Fetch,
  connection: Found,
  apiKey: string,
  now: number,
): Promise<FoundServer | null> {
  const { kind: known, service, lastSeenWellAt, baseUrl } = connection;
  const wasIdempotent = isIdempotent(connection);
  const close = (isOn: boolean) =>
    setConnectionClose(baseUrl, isOn).then(
      () => true,
      () => false,
    );
  if (!wasIdempotent && !(await close(true))) return null;
  const isKnown = known !== undefined || service !== null || lastSeenWellAt !== null;
  const detected = isKnown ? known : await detectKind(fetch, baseUrl, now);
  const kind = detected ?? undefined;
  const target = kind ? { ...connection, kind } : connection;
  const probe = await probeServer(openServer(fetch, target, apiKey, now));
  const current = { ...target, service: (probe.reached && probe.service) || service };
  if (isIdempotent(current)) await close(false);
  // A server that lost this feature is probed again, so that no later request reuses the network connection.
  else if (wasIdempotent) return findAndProbe(fetch, current, apiKey, now);
  return { probe, kind };
}
