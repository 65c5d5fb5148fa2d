import type { Connection, Link, Request, VisibleQueues } from '../queue/types.ts';
import type { Settings } from '../storage/settings.ts';
import { type ExportedConnection, type ExportedLink, type ExportedRequest, FORMAT, VERSION } from './export-schema.ts';

interface Everything {
  queues: VisibleQueues;
  links: Link[];
  settings: Settings;
}

/**
 * Returns the settings, connections, links and requests as JSON. Leaves out API keys, and all links and requests from
 * private windows.
 *
 * @param now milliseconds since the epoch
 */
export function exportData({ queues, links, settings }: Everything, now: number): string {
  const requests = [...queues.queues.flatMap((queue) => queue.requests), ...queues.unassigned];
  const isShown = (one: { private: boolean }) => !one.private;
  const file = {
    format: FORMAT,
    version: VERSION,
    exportedAt: iso(now),
    settings,
    connections: queues.queues.map(({ connection }) => exportConnection(connection)),
    links: links.filter(isShown).map(exportLink),
    requests: requests.filter(isShown).map(exportRequest),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

function exportConnection({ id, name, baseUrl, kind, isKindChosen, domain, limits }: Connection): ExportedConnection {
  return {
    id,
    name,
    baseUrl,
    ...(kind && { kind }),
    ...(isKindChosen && { isKindChosen }),
    ...(domain !== undefined && { domain }),
    ...(limits && { limits }),
  };
}

function exportLink({ id, connectionId, groupId, url, title, shortUrl, shortCode, ...link }: Link): ExportedLink {
  return {
    id,
    connectionId,
    groupId,
    url,
    title,
    shortUrl,
    shortCode,
    createdAt: iso(link.createdAt),
    expiresAt: link.expiresAt === null ? null : iso(link.expiresAt),
    ...(link.elsewhere && { elsewhere: link.elsewhere }),
    ...(link.isRestricted && { isRestricted: link.isRestricted }),
    ...(link.tags && { tags: link.tags }),
  };
}

function exportRequest({ id, connectionId, groupId, url, title, options, ...request }: Request): ExportedRequest {
  return {
    id,
    connectionId,
    groupId,
    url,
    title,
    options,
    createdAt: iso(request.createdAt),
    idempotencyKey: request.idempotencyKey,
    ...(request.generatedCode !== undefined && { generatedCode: request.generatedCode }),
    ...(request.domain !== undefined && { domain: request.domain }),
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
