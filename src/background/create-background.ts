import type { Menus, Runtime, Tabs } from '../browser/browser.ts';
import browser from '../browser/browser.ts';
import { hostPattern } from '../browser/host-permissions.ts';
import { forgetPrivateTarget } from '../messages/open-page-with-data.ts';
import type { Handlers, Message, PrivateCommand, Reply } from '../messages/protocol.ts';
import type { Finished } from '../queue/result.ts';
import type { CreateRequest, NewLink } from '../servers/adapter.ts';
import { findLink, openServer, readClicks, sendAttempt } from '../servers/call-server.ts';
import { isIdempotent } from '../servers/capabilities.ts';
import type { Fetch } from '../servers/http.ts';
import { openDatabase, ownQueues } from '../storage/database.ts';
import { Store } from '../storage/store.ts';
import { Connections } from './commands/connection-commands.ts';
import { importEntries } from './commands/import-command.ts';
import { shortenPrivately } from './commands/private-requests.ts';
import { callConnection, deleteLinks, editLink, type ServiceLinkDependencies } from './commands/server-links.ts';
import { failureCode, QueueCommands } from './commands/shorten-command.ts';
import { resetRules } from './connection-close.ts';
import { EntryPoints } from './entry-points/menus-and-shortcuts.ts';
import { enterInAddressBar } from './entry-points/omnibox.ts';
import { BrowserShortener } from './entry-points/shorten-from-browser.ts';
import { LinkSync } from './link-sync.ts';
import { onInstalled } from './on-install.ts';
import { probeConnection } from './probe-connection.ts';
import { createAlarm, QueueRunner, type Target } from './queue-runner.ts';
import { badgeOf, DONE, flashBadge, reportResults, showBadge } from './report-results.ts';

/** Assembles the background worker. Returns its listeners for the events of the browser. */
export function createBackground() {
  const clock = () => Date.now();
  const online = () => navigator.onLine;
  const newId = () => crypto.randomUUID();
  const fetch: Fetch = (url, init) => globalThis.fetch(url, init);
  const random = Math.random;
  const store = new Store(openDatabase, clock, ownQueues, onFinished);
  const permitted = (baseUrl: string) => browser.permissions.contains({ origins: [hostPattern(baseUrl)] });
  const serverOf = ({ connection, apiKey, now }: Target) => openServer(fetch, connection, apiKey, now);
  const sending = {
    store,
    random,
    newId,
    online,
    permitted,
    send: (target: Target, post: CreateRequest) => sendAttempt(serverOf(target), post),
    lookUp: (target: Target, link: NewLink) => findLink(serverOf(target), link),
  };

  const runner = new QueueRunner({
    ...sending,
    clock,
    ready: protectFromResending(),
    probe: (target) => probeConnection(fetch, target),
    ...createAlarm(changed),
    onFinished,
  });
  const linkSync = new LinkSync({ store, fetch, permitted });
  const waitForFirstSync = (id: string) => linkSync.waitForFirstSync(id);
  const commands = new QueueCommands({ store, newId, changed, waitForFirstSync });
  const privately = {
    ...sending,
    waitForFirstSync,
    takeTurn: <T>(id: string, work: () => Promise<T>) => runner.takeTurn(id, work),
    wait: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
    changed,
  };
  const shortenInPrivate = (command: PrivateCommand) => shortenPrivately(privately, command);
  const connections = new Connections({
    ...{ store, fetch, newId, random, permitted, changed },
    connected: (id) => void linkSync.sync(id).catch(() => undefined),
  });
  const badge = async () => badgeOf(await store.queues());
  const flash = (shown: Parameters<typeof flashBadge>[0]) => flashBadge(shown, badge);
  const shortener = new BrowserShortener({ commands, shortenPrivately: shortenInPrivate, newId, now: clock, flash });
  const entryPoints = new EntryPoints(shortener);

  /** Prevents that the browser sends a request again to a server that would create a second link. */
  async function protectFromResending(): Promise<void> {
    const connections = (await store.queues().catch(() => [])).map(({ connection }) => connection);
    const endangered = connections.filter((connection) => !isIdempotent(connection));
    await resetRules(endangered.map(({ baseUrl }) => baseUrl)).catch(() => undefined);
  }

  /** Sends what is due, and updates the badge. */
  function changed(): void {
    void runner
      .run()
      .catch(() => undefined)
      .finally(updateBadge);
    void updateBadge();
  }

  async function updateBadge(): Promise<void> {
    await badge()
      .then(showBadge)
      .catch(() => undefined);
  }

  function onFinished(finished: Finished): void {
    void updateBadge();
    // If the badge cannot be shown, the results are still reported.
    const shown = finished.links.length > 0 ? flash(DONE).catch(() => undefined) : Promise.resolve();
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
    onMessage: createRouter({
      ...{ store, fetch, permitted, commands, connections, linkSync, changed },
      shortenPrivately: shortenInPrivate,
      online: networkReturned,
    }),
    onMenu: (info: Menus.OnClickData, tab?: Tabs.Tab) => entryPoints.menu(info, tab),
    onCommand: (command: string, tab?: Tabs.Tab) => entryPoints.command(command, tab),
    onAddressBar: (text: string) => enterInAddressBar(text, shortener, entryPoints),
    onInstalled: async (details: Runtime.OnInstalledDetailsType) => {
      changed();
      await onInstalled(details, async () => (await store.queues()).length > 0).catch(() => undefined);
    },
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

export interface RouterDependencies extends ServiceLinkDependencies {
  commands: QueueCommands;
  shortenPrivately: Handlers['shorten-privately'];
  connections: Connections;
  linkSync: LinkSync;
  online: () => Promise<void>;
  /** Called after a change that may allow or require a send. */
  changed: () => void;
}

/**
 * Creates the listener for messages from the extension's own pages. Other senders and unknown messages get no reply.
 * An error becomes a reply with an error code, because a page cannot distinguish a rejected promise from a stopped
 * background worker.
 */
export function createRouter(dependencies: RouterDependencies) {
  const handlers = handlersOf(dependencies);
  return (raw: unknown, sender: Runtime.MessageSender): Promise<Reply<unknown>> | undefined => {
    // Only the extension's own pages pass this check, and they send only messages of type `Message`.
    if (!isOwnPage(sender) || typeof raw !== 'object' || raw === null) return undefined;
    const message = raw as Message;
    if (!Object.hasOwn(handlers, message.type)) return undefined;
    const handle = handlers[message.type] as (message: Message) => Promise<Reply<unknown>>;
    return handle(message).catch((error) => ({ ok: false, code: failureCode(error) }));
  };
}

function handlersOf(dependencies: RouterDependencies): Handlers {
  const { commands, shortenPrivately, connections, linkSync, store, online, changed } = dependencies;
  return {
    shorten: (message) => commands.shorten({ ...message, source: 'popup' }),
    'shorten-privately': shortenPrivately,
    cancel: ({ ids }) => commands.cancel(ids),
    retry: ({ id }) => commands.retry(id),
    'try-now': ({ connectionId }) => commands.tryNow(connectionId),
    'set-paused': ({ connectionId, isPaused }) => commands.setPaused(connectionId, isPaused),
    online: () => done(online()),
    'save-connection': (message) => connections.save(message),
    'set-default-connection': ({ connectionId }) => connections.setDefault(connectionId),
    'forget-connection': ({ connectionId }) => connections.forget(connectionId),
    'edit-link': (message) => value(editLink(dependencies, message)),
    'read-clicks': (message) => value(callConnection(dependencies, message, (server) => readClicks(server, message))),
    'sync-links': ({ connectionId }) => value(linkSync.sync(connectionId)),
    import: (message) => value(importEntries(store, message).finally(changed)),
    'delete-everything': () => done(store.deleteEverything().finally(changed)),
    'delete-links': (message) => value(deleteLinks(dependencies, message)),
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
