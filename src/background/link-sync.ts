import type { SyncResult } from '../messages/protocol.ts';
import { isSameServer } from '../queue/sending.ts';
import type { Connection } from '../queue/types.ts';
import { listLinks } from '../servers/call-server.ts';
import { capabilitiesOf, isListMissing } from '../servers/capabilities.ts';
import type { WriteTransaction } from '../storage/database.ts';
import { broadcastChange, broadcastSyncProgress } from '../storage/database.ts';
import { linkKey, mergeListedLinks, removeUnlisted } from '../storage/links.ts';
import { callConnection, type ServiceLinkDependencies } from './commands/server-links.ts';

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
  /** Connections for whose first sync a request has waited. Later requests do not wait again if this sync failed. */
  readonly #awaited = new Set<string>();

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
    const missing = queues.map(({ connection }) => connection).filter(isListMissing);
    await Promise.allSettled(missing.map(({ id }) => this.sync(id)));
  }

  /** Waits a moment for the first sync of a connection, so that a request can reuse a link that its server lists. */
  async waitForFirstSync(connectionId: string): Promise<void> {
    const sync = this.#running.get(connectionId) ?? (this.#awaited.has(connectionId) ? null : this.sync(connectionId));
    this.#awaited.add(connectionId);
    const timeout = new Promise((resolve) => setTimeout(resolve, MAX_FIRST_SYNC_MS));
    await Promise.race([sync, timeout]).catch(() => undefined);
  }

  /** Reads a connection's list. If the user changes the connection meanwhile, reads the new list instead. */
  async #read(connectionId: string): Promise<SyncResult> {
    const { store } = this.#dependencies;
    const connection = (await store.queue(connectionId))?.connection;
    if (!connection || !capabilitiesOf(connection).list) return null;
    const result = await this.#readList(connection);
    const current = (await store.queue(connectionId))?.connection;
    return current && isSameServer(current, connection) ? result : this.#read(connectionId);
  }

  /**
   * Reads a server's list of links page by page, newest first, and stores each page. Ends early if the connection has
   * changed.
   */
  async #readList(connection: Connection): Promise<SyncResult> {
    const { store } = this.#dependencies;
    const { id: connectionId } = connection;
    const target = { connectionId, baseUrl: connection.baseUrl };
    const startedAt = Date.now();
    const keys = new Set<string>();
    const cursors = new Set<string>();
    let [unreadable, longest, isShorter, isChanged] = [0, 0, false, false];
    let cursor: string | null = '';
    try {
      while (cursor !== null && keys.size < MAX_LINKS && cursors.size < MAX_PAGES) {
        const at: string = cursor;
        cursors.add(at);
        const result = await callConnection(this.#dependencies, target, (server) => listLinks(server, at));
        if ('problem' in result) return { problem: result.problem };
        const { links, nextCursor, total = 0 } = result.value;
        // If a server returned the same cursor twice, the sync would never end.
        if (nextCursor !== null && cursors.has(nextCursor)) return { problem: 'not_understood' };
        const isPageNew = await this.#write(connection, (transaction) =>
          mergeListedLinks(transaction, connection, links, Date.now()),
        );
        if (isPageNew === null) return null;
        isChanged ||= isPageNew;
        for (const link of links) keys.add(linkKey(connection, link));
        unreadable += result.value.unreadable;
        isShorter ||= total < longest;
        longest = Math.max(longest, total);
        // Pages show the newest links at once. Later links are shown at the end, because each update reads all links.
        if (at === '' && isPageNew) await broadcastChange({ queues: false, links: true });
        await broadcastSyncProgress(connectionId, keys.size);
        cursor = nextCursor;
      }
      const isCut = cursor !== null;
      // A list that was not read to its end, or that became shorter meanwhile, does not show which links are missing.
      const isRemoved =
        !isCut &&
        !isShorter &&
        (await this.#write(connection, (transaction) => removeUnlisted(transaction, connection, { keys, startedAt })));
      isChanged ||= isRemoved === true;
      const listRead = { at: startedAt, unreadable, isCut };
      await store.update(connectionId, (queue) => ({
        queue: isSameServer(queue.connection, connection)
          ? { ...queue, connection: { ...queue.connection, listRead } }
          : queue,
        result: null,
      }));
      return listRead;
    } finally {
      await broadcastChange({ queues: true, links: isChanged });
    }
  }

  /** Changes stored links, or returns null if the connection's list may be a different one by now. */
  #write<T>(connection: Connection, work: (transaction: WriteTransaction) => Promise<T>): Promise<T | null> {
    return this.#dependencies.store.writeLinks(async (transaction, queues) => {
      const current = queues.find((queue) => queue.connection.id === connection.id)?.connection;
      return current && isSameServer(current, connection) ? work(transaction) : null;
    });
  }
}
