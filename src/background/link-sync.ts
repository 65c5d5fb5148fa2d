import type { SyncResult } from '../messages/protocol.ts';
import type { Connection, ListReading } from '../queue/types.ts';
import { capabilitiesOf, isListMissing } from '../servers/connection-capabilities.ts';
import type { LinkListPage, ListedLink, ServiceResult } from '../servers/link-operations.ts';
import { broadcastChange, broadcastSyncProgress } from '../storage/change-broadcast.ts';
import { openDatabase } from '../storage/database.ts';
import { linkKey, mergeListedLinks, removeUnlisted, type Seen } from '../storage/merge-service-links.ts';
import { callConnection, type ServiceLinkDependencies } from './commands/server-links.ts';

/**
 * Number of changed links after which open pages are told to reload the links. The number is large, because each reload
 * reads all links.
 */
const BROADCAST_AFTER = 1_000;

/** Maximum number of links that a sync reads from one service, newest first. */
export const MAX_LINKS = 20_000;

/** Maximum number of list pages that a sync reads, because a faulty service could return empty pages without end. */
const MAX_PAGES = 500;

/** Maximum time that a new request waits for the first sync of its connection. A longer list takes longer to read. */
const MAX_FIRST_SYNC_MS = 3_000;

/**
 * Downloads the lists of links from the connected servers. Without its server's list, a new connection would create
 * second links for URLs that already have one.
 */
export class LinkSync {
  readonly #dependencies: ServiceLinkDependencies;
  readonly #running = new Map<string, Promise<SyncResult>>();
  /** First sync of each connection in this worker's life. Later requests do not wait again if this sync failed. */
  readonly #first = new Map<string, Promise<unknown>>();

  constructor(dependencies: ServiceLinkDependencies) {
    this.#dependencies = dependencies;
  }

  /** Reads a connection's list. A sync that is already running is joined, so that no list is read twice at once. */
  sync(connectionId: string): Promise<SyncResult> {
    const running = this.#running.get(connectionId);
    if (running) return running;
    const sync = this.#read(connectionId).finally(() => this.#running.delete(connectionId));
    this.#running.set(connectionId, sync);
    return sync;
  }

  /** Starts to read the lists that were never read completely, for example because the worker was stopped. */
  async syncMissing(): Promise<void> {
    const queues = await this.#dependencies.store.queues();
    for (const { connection } of queues) if (isListMissing(connection)) void this.#firstSync(connection.id);
  }

  /** Waits a moment for the first sync of a connection, so that a request can reuse a link that its server lists. */
  async waitForFirstSync(connection: Connection): Promise<void> {
    if (!isListMissing(connection)) return;
    const timeout = new Promise((resolve) => setTimeout(resolve, MAX_FIRST_SYNC_MS));
    await Promise.race([this.#firstSync(connection.id), timeout]);
  }

  #firstSync(connectionId: string): Promise<unknown> {
    const first = this.#first.get(connectionId) ?? this.sync(connectionId).catch(() => null);
    this.#first.set(connectionId, first);
    return first;
  }

  async #read(connectionId: string): Promise<SyncResult> {
    const connection = (await this.#dependencies.store.queue(connectionId))?.connection;
    if (!connection || !capabilitiesOf(connection).list) return null;
    const database = await openDatabase();
    const target = { connectionId, baseUrl: connection.baseUrl, shortCode: null };
    let unannounced = 0;
    let isFirst = true;
    const announce = async (queues: boolean) => {
      await broadcastChange({ queues, links: unannounced > 0 });
      unannounced = 0;
    };
    try {
      return await syncServiceLinks({
        list: (cursor) =>
          callConnection(this.#dependencies, target, (adapter, context) => adapter.list?.(cursor, context)),
        store: async (links) => {
          const isChanged = await mergeListedLinks(database, connection, links, Date.now());
          if (isChanged) unannounced += links.length;
          if (unannounced >= BROADCAST_AFTER || (isFirst && isChanged)) await announce(false);
          isFirst = false;
          return isChanged !== null;
        },
        removeMissing: async (seen, reading) => {
          const isChanged = await removeUnlisted(database, connection, seen);
          if (isChanged === null) return false;
          if (isChanged) unannounced += 1;
          await this.#dependencies.store.update(connectionId, (queue) => ({
            queue: { ...queue, connection: { ...queue.connection, listRead: reading } },
            result: null,
          }));
          return true;
        },
        keyOf: (link) => linkKey(connection, link),
        progress: (count) => void broadcastSyncProgress(connectionId, count),
        startedAt: Date.now(),
      });
    } finally {
      await announce(true);
      database.close();
    }
  }
}

export interface SyncDependencies {
  /** Reads one page from the service's list. Never throws. */
  list: (cursor: string) => Promise<ServiceResult<LinkListPage>>;
  /** Stores the links of one list page. Returns false if the connection has changed and the sync must stop. */
  store: (links: ListedLink[]) => Promise<boolean>;
  /** Removes the links that are no longer in the service's list. Returns false if the connection has changed. */
  removeMissing: (seen: Seen, reading: ListReading) => Promise<boolean>;
  keyOf: (link: ListedLink) => string;
  progress: (count: number) => void;
  startedAt: number;
}

/** Reads a service's list of links page by page, newest first, and stores each page. */
export async function syncServiceLinks(dependencies: SyncDependencies): Promise<SyncResult> {
  const { list, store, removeMissing, keyOf, progress, startedAt } = dependencies;
  const keys = new Set<string>();
  const cursors = new Set<string>();
  let unreadable = 0;
  let oldest = Number.POSITIVE_INFINITY;
  let lastTotal = 0;
  let isShorter = false;
  let cursor: string | null = '';
  while (cursor !== null && keys.size < MAX_LINKS && cursors.size < MAX_PAGES) {
    cursors.add(cursor);
    const result: ServiceResult<LinkListPage> = await list(cursor);
    if ('problem' in result) return { problem: result.problem };
    const { links, nextCursor, unreadable: invalid, total = 0 }: LinkListPage = result.value;
    // If a service returned the same cursor twice, the sync would never end.
    if (nextCursor !== null && cursors.has(nextCursor)) return { problem: 'not_understood' };
    if (!(await store(links))) return null;
    for (const link of links) {
      keys.add(keyOf(link));
      if (link.createdAt !== null) oldest = Math.min(oldest, link.createdAt);
    }
    isShorter ||= total < lastTotal;
    lastTotal = total;
    unreadable += invalid;
    progress(keys.size);
    cursor = nextCursor;
  }
  const isCut = cursor !== null;
  const reading = { at: startedAt, unreadable, isCut };
  // If the list became shorter during the sync, the sync may have skipped some links. `Infinity` prevents the removal
  // of such links.
  const readBackTo = isShorter ? Number.POSITIVE_INFINITY : isCut ? oldest : null;
  return (await removeMissing({ keys, startedAt, oldest: readBackTo }, reading)) ? reading : null;
}
