import type { Menus, Runtime, Tabs } from '../browser/browser.ts';
import browser from '../browser/browser.ts';
import { hostPattern } from '../browser/host-permissions.ts';
import { forgetPrivateTarget } from '../messages/open-page-with-data.ts';
import type { PrivateCommand } from '../messages/protocol.ts';
import type { Finished } from '../queue/result.ts';
import type { Connection } from '../queue/types.ts';
import type { CreateRequest, NewLink } from '../servers/adapter.ts';
import { findLink, openServer, sendAttempt } from '../servers/call-server.ts';
import type { Fetch } from '../servers/http.ts';
import { openDatabase, queueLock } from '../storage/database.ts';
import { Store } from '../storage/store.ts';
import { Connections } from './commands/connection-commands.ts';
import { shortenPrivately } from './commands/private-requests.ts';
import { QueueCommands } from './commands/shorten-command.ts';
import { removeUnusedRules, rulesApplied } from './connection-close.ts';
import { EntryPoints } from './entry-points/menus-and-shortcuts.ts';
import { enterInAddressBar } from './entry-points/omnibox.ts';
import { BrowserShortener } from './entry-points/shorten-from-browser.ts';
import { LinkSync } from './link-sync.ts';
import { createRouter } from './message-router.ts';
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
  const store = new Store(openDatabase, clock, queueLock(), onFinished);
  const permitted = (baseUrl: string) => browser.permissions.contains({ origins: [hostPattern(baseUrl)] });
  const protectedFromResending = rulesApplied().catch(() => undefined);
  const serverOf = ({ connection, apiKey, now }: Target) => openServer(fetch, connection, apiKey, now);
  const sending = {
    store,
    random,
    newId,
    online,
    permitted: async ({ baseUrl }: Connection) => {
      await protectedFromResending;
      return permitted(baseUrl);
    },
    send: (target: Target, post: CreateRequest) => sendAttempt(serverOf(target), post),
    lookUp: (target: Target, link: NewLink) => findLink(serverOf(target), link),
  };

  const runner = new QueueRunner({
    ...sending,
    clock,
    probe: (target) => probeConnection(fetch, target, target.now),
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
    onPermissionRemoved: () => removeUnusedRules().catch(() => undefined),
    /** Continues the work of the previous background worker. */
    start: async () => {
      changed();
      syncMissing();
    },
  };
}
