import type { DeleteLinksMessage, DeletionFailure } from '../../messages/protocol.ts';
import type { ServiceProblem } from '../../services/link-operations.ts';
import { callConnection, type ServiceLinkDependencies } from './service-link-commands.ts';

/** Maximum number of retries per link if the server's rate limit rejects the deletion. */
const MAX_RETRIES = 20;

/**
 * Maximum wait before a retry, in milliseconds. The wait is short because browsers stop a background worker that is
 * idle for 30 seconds.
 */
const MAX_WAIT_MS = 20_000;

/**
 * Deletes links on their servers and from the history. After a failure on one server, deletions on the other servers
 * continue. Returns the failures.
 */
export async function deleteLinks(
  dependencies: ServiceLinkDependencies,
  { localIds, servers }: DeleteLinksMessage,
): Promise<DeletionFailure[]> {
  if (localIds.length > 0) await dependencies.store.removeLinks(localIds);
  const failures = await Promise.all(servers.map((server) => deleteOnServer(dependencies, server)));
  return failures.filter((failure) => failure !== null);
}

type ServerLinks = DeleteLinksMessage['servers'][number];

async function deleteOnServer(
  dependencies: ServiceLinkDependencies,
  { connectionId, baseUrl, links }: ServerLinks,
): Promise<DeletionFailure | null> {
  for (const [index, link] of links.entries()) {
    const problem = await deletePatiently(dependencies, { connectionId, baseUrl }, link);
    if (problem) return { connectionId, problem, left: links.slice(index).map(({ id }) => id) };
    // Each local copy is deleted as soon as the server has deleted the link, because the browser may stop the
    // background worker at any time.
    await dependencies.store.removeLinks([link.id]);
  }
  return null;
}

/**
 * Deletes one link on its server. Waits and retries if the server's rate limit rejects the deletion. Returns the
 * problem, or null on success.
 */
async function deletePatiently(
  dependencies: ServiceLinkDependencies,
  server: Pick<ServerLinks, 'connectionId' | 'baseUrl'>,
  link: ServerLinks['links'][number],
): Promise<ServiceProblem | null> {
  for (let retries = 0; ; retries += 1) {
    const target = { ...server, shortCode: link.shortCode };
    const result = await callConnection(dependencies, target, (adapter, context) => adapter.delete?.(link, context));
    if (!('problem' in result)) return null;
    const waitMs = (result.retryAfterSeconds ?? 1) * 1_000;
    if (result.problem !== 'throttled' || retries === MAX_RETRIES || waitMs > MAX_WAIT_MS) return result.problem;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
