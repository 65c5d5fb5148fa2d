import type { Menus, Runtime, Tabs } from '../browser/browser.ts';
import browser from '../browser/browser.ts';
import { hostPattern } from '../browser/host-permissions.ts';
import { forgetPrivateTarget } from '../messages/open-page-with-data.ts';
import type { Handlers, Message, Reply } from '../messages/protocol.ts';
import type { Finished } from '../queue/result.ts';
import { retry, setPaused, tryNow } from '../queue/user-actions.ts';
import type { CreateRequest } from '../servers/adapter.ts';
import { findLink, openServer, readClicks, sendAttempt } from '../servers/call-server.ts';
import { isIdempotent } from '../servers/capabilities.ts';
import type { Fetch } from '../servers/http.ts';
import { openDatabase, ownQueues } from '../storage/database.ts';
import { Store } from '../storage/store.ts';
import {
  forgetConnection,
  importEntries,
  saveConnection,
  setDefaultConnection,
} from './commands/connection-commands.ts';
import { shortenPrivately } from './commands/private-requests.ts';
import { callConnection, deleteLinks, editLink } from './commands/server-links.ts';
import { cancelRequests, changeQueue, changeQueues, failureCode, shorten } from './commands/shorten-command.ts';
import { onAddressBar, onCommand, onMenu } from './entry-points/menus-and-shortcuts.ts';
import { LinkSync } from './link-sync.ts';
import { probeConnection, resetRules } from './probe-connection.ts';
import { createAlarm, QueueRunner, type Target } from './queue-runner.ts';
import { DONE, flashBadge, reportResults, updateBadge } from './report-results.ts';
import type { WorkerContext } from './worker-context.ts';

/** Assembles the background worker. Returns its listeners for the events of the browser. */
export function createBackground() {
  const clock = () => Date.now();
  const fetch: Fetch = (url, init) => globalThis.fetch(url, init);
  const store = new Store(openDatabase, clock, ownQueues, onFinished);
  const permitted = (baseUrl: string) => browser.permissions.contains({ origins: [hostPattern(baseUrl)] });
  const serverOf = ({ connection, apiKey, now }: Target) => openServer(fetch, connection, apiKey, now);
  const shared = {
    ...{ store, clock, fetch, permitted, changed, random: Math.random },
    newId: () => crypto.randomUUID(),
    online: () => navigator.onLine,
    send: (target: Target, post: CreateRequest) => sendAttempt(serverOf(target), post),
  };
  const runner = new QueueRunner({
    ...shared,
    ready: protectFromResending(),
    probe: (target) => probeConnection(fetch, target),
    lookUp: (target, link) => findLink(serverOf(target), link),
    ...createAlarm(changed),
    onFinished,
  });
  const linkSync = new LinkSync(shared);
  const context: WorkerContext = {
    ...shared,
    connected: (id) => void linkSync.sync(id).catch(() => undefined),
    waitForFirstSync: (id) => linkSync.waitForFirstSync(id),
    takeTurn: (id, work) => runner.takeTurn(id, work),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };

  /**
   * Prevents that the browser sends a request again to a server that would create a second link. If the queues cannot be
   * read, the stored rules stay, because another background worker may be sending.
   */
  async function protectFromResending(): Promise<void> {
    const queues = await store.queues().catch(() => null);
    if (!queues) return;
    const endangered = queues.map(({ connection }) => connection).filter((connection) => !isIdempotent(connection));
    await resetRules(endangered.map(({ baseUrl }) => baseUrl)).catch(() => undefined);
  }

  /** Sends what is due, and updates the badge. */
  function changed(): void {
    void runner
      .run()
      .catch(() => undefined)
      .finally(() => updateBadge(store));
    void updateBadge(store);
  }

  function onFinished(finished: Finished): void {
    void updateBadge(store);
    const shown = finished.links.length > 0 ? flashBadge(DONE, store) : Promise.resolve();
    void shown.then(() => reportResults(finished)).catch(() => undefined);
  }

  function syncMissing(): void {
    void linkSync.syncMissing().catch(() => undefined);
  }

  async function networkReturned(): Promise<void> {
    await runner.networkReturned();
    changed();
    syncMissing();
  }

  return {
    onMessage: createRouter(context, linkSync, networkReturned),
    onMenu: (info: Menus.OnClickData, tab?: Tabs.Tab) => onMenu(context, info, tab),
    onCommand: (command: string, tab?: Tabs.Tab) => onCommand(context, command, tab),
    onAddressBar: (text: string) => onAddressBar(context, text),
    onInstalled: (details: Runtime.OnInstalledDetailsType) =>
      onInstalled(details, async () => (await store.queues()).length > 0).catch(() => undefined),
    onWake: changed,
    onOnline: networkReturned,
    onWindowClosed: async () => {
      await forgetPrivateTarget().catch(() => undefined);
      changed();
    },
    onPermission: changed,
    onPermissionRemoved: protectFromResending,
    /** Continues the work of the previous background worker. */
    start: async () => {
      changed();
      syncMissing();
    },
  };
}

/**
 * True if a message comes from one of the extension's own pages. Checks the sender's origin or, if the browser does
 * not report the origin, the URL of the page.
 */
function isOwnPage(sender: Runtime.MessageSender & { origin?: string }): boolean {
  if (sender.id !== browser.runtime.id) return false;
  const home = browser.runtime.getURL('/');
  return sender.origin === undefined ? (sender.url ?? '').startsWith(home) : `${sender.origin}/` === home;
}

/**
 * Creates the listener for messages from the extension's own pages. Other senders and unknown messages get no reply.
 * An error becomes a reply with an error code, because a page cannot distinguish a rejected promise from a stopped
 * background worker.
 */
export function createRouter(context: WorkerContext, linkSync: LinkSync, online: () => Promise<void>) {
  const handlers = handlersOf(context, linkSync, online);
  return (raw: unknown, sender: Runtime.MessageSender): Promise<Reply<unknown>> | undefined => {
    // Only the extension's own pages pass this check, and they send only messages of type `Message`.
    if (!isOwnPage(sender) || typeof raw !== 'object' || raw === null) return undefined;
    const message = raw as Message;
    if (!Object.hasOwn(handlers, message.type)) return undefined;
    // Android has no windows, so a page that the user opens in a private tab stays there. Its requests are not stored.
    const isPrivate = message.type === 'shorten' && sender.tab?.incognito;
    if (isPrivate) return Promise.resolve({ ok: false, code: 'private_list' });
    const handle = handlers[message.type] as (message: Message) => Promise<Reply<unknown>>;
    return handle(message).catch((error) => ({ ok: false, code: failureCode(error) }));
  };
}

function handlersOf(context: WorkerContext, linkSync: LinkSync, online: () => Promise<void>): Handlers {
  const { store, newId, changed } = context;
  return {
    shorten: (message) => shorten(context, { ...message, source: 'popup' }),
    'shorten-privately': (message) => shortenPrivately(context, message),
    cancel: ({ ids }) => cancelRequests(context, ids),
    retry: ({ id, isUncertain }) =>
      changeQueues(context, (queues) =>
        queues.map((queue) => {
          const request = queue.requests.find((one) => one.id === id);
          return request && (isUncertain || request.state !== 'uncertain') ? retry(queue, id, newId()) : queue;
        }),
      ),
    'try-now': ({ connectionId }) => changeQueue(context, connectionId, tryNow),
    'set-paused': ({ connectionId, isPaused }) =>
      changeQueue(context, connectionId, (queue) => setPaused(queue, isPaused)),
    online: () => done(online()),
    'save-connection': (message) => saveConnection(context, message),
    'set-default-connection': ({ connectionId }) => setDefaultConnection(context, connectionId),
    'forget-connection': ({ connectionId }) => forgetConnection(context, connectionId),
    'edit-link': (message) => value(editLink(context, message)),
    'read-clicks': (message) => value(callConnection(context, message, (server) => readClicks(server, message))),
    'sync-links': ({ connectionId }) => value(linkSync.sync(connectionId)),
    import: (message) => value(importEntries(store, message).finally(changed)),
    'delete-everything': () => done(store.deleteEverything().finally(changed)),
    'delete-links': (message) => value(deleteLinks(context, message)),
    'read-queues': () => value(store.queues().then((queues) => ({ queues }))),
  };
}

async function value<T>(work: Promise<T>): Promise<Reply<T>> {
  return { ok: true, value: await work };
}

async function done(work: Promise<unknown>): Promise<Reply> {
  await work;
  return { ok: true, value: null };
}

/**
 * Opens the welcome page after an installation.
 *
 * @param isConnected resolves to true if the extension is already connected to a service. In this case, the welcome
 * page does not open. Chromium reports an installation at every start if the extension is unpacked.
 */
export async function onInstalled(
  { reason }: Runtime.OnInstalledDetailsType,
  isConnected: () => Promise<boolean>,
): Promise<void> {
  if (reason !== 'install' || (await isConnected())) return;
  const url = browser.runtime.getURL('src/pages/welcome/index.html');
  // The welcome page must not open in a private window, because the browser deletes a private window's data when the
  // window closes. If the last focused window is private or unknown, the page opens in a new window. Android has no
  // windows.
  const focused = await browser.windows?.getLastFocused().catch(() => ({ incognito: true }));
  if (focused?.incognito) await browser.windows.create({ url });
  else await browser.tabs.create({ url });
}
