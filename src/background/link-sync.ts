import { type SyncResult, syncServiceLinks } from '../link-sync/sync-service-links.ts';
import type { Connection } from '../queue/types.ts';
import { capabilitiesOf, isListMissing } from '../services/connection-capabilities.ts';
import { broadcastChange, broadcastSyncProgress } from '../storage/change-broadcast.ts';
import { openDatabase } from '../storage/database.ts';
import { linkKey, mergeListedLinks, removeUnlisted } from '../storage/merge-service-links.ts';
import { callConnection, type ServiceLinkDependencies } from './commands/service-link-commands.ts';

/**
 * Number of changed links after which open pages are told to reload the links. The number is large, because each reload
 * reads all links.
 */
const BROADCAST_AFTER = 1_000;

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
          const isChanged = await removeUnlisted(database, connection, seen, reading);
          if (isChanged) unannounced += 1;
          return isChanged !== null;
        },
        keyOf: (link) => linkKey(connection, link),
        progress: (count) => void broadcastSyncProgress(connectionId, count),
        sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
        now: () => Date.now(),
      });
    } finally {
      await announce(true);
      database.close();
    }
  }
}
