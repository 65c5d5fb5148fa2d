import type { Menus, Runtime, Tabs } from '../browser/browser.ts';
import browser from '../browser/browser.ts';
import { hostPattern } from '../browser/host-permissions.ts';
import type { Finished } from '../queue/results/finished-requests.ts';
import { randomBytes } from '../queue/short-code-generator.ts';
import { findLinks, openServer, sendAttempt } from '../servers/call-server.ts';
import type { Fetch } from '../servers/http.ts';
import { openDatabase } from '../storage/database.ts';
import { Store } from '../storage/store.ts';
import { Alarm } from './alarm.ts';
import { Connections } from './commands/connection-commands.ts';
import { QueueCommands } from './commands/shorten-command.ts';
import { removeUnusedRules } from './connection-close.ts';
import { EntryPoints } from './entry-points/menu-clicks-and-shortcuts.ts';
import { Omnibox } from './entry-points/omnibox.ts';
import { BrowserShortener } from './entry-points/shorten-from-browser.ts';
import { LinkSync } from './link-sync.ts';
import { createRouter } from './message-router.ts';
import { onInstalled } from './on-install.ts';
import { deletePrivateDataUnlessOpen, updateUnlessPrivate } from './private-windows.ts';
import { probeConnection } from './probe-connection.ts';
import { queueLock } from './queue-lock.ts';
import { QueueRunner } from './queue-runner.ts';
import { reportResults } from './results/notify-and-copy-results.ts';
import { badgeOf, DONE, flashBadge, showBadge } from './results/toolbar-badge.ts';
import type { Target } from './send-attempt-and-save-result.ts';

export function createBackground() {
  const clock = () => Date.now();
  const store = new Store(openDatabase, clock, queueLock(), onFinished);
  const fetch: Fetch = (url, init) => globalThis.fetch(url, init);
  const online = () => navigator.onLine;
  const newId = () => crypto.randomUUID();
  const generation = { newKey: newId, randomBytes };
  const alarm = new Alarm(changed, online);

  const serverOf = ({ connection, apiKey, now }: Target) => openServer(fetch, connection, apiKey, now);

  const runner = new QueueRunner({
    store,
    clock,
    random: Math.random,
    newId,
    generation,
    online,
    permitted: ({ baseUrl }) => permitted(baseUrl),
    send: (target, attempt) => sendAttempt(serverOf(target), attempt),
    lookUp: (target, links) => findLinks(serverOf(target), links),
    probe: (target) => probeConnection(fetch, target, target.now),
    wake: (wake) => alarm.wake(wake, clock()),
    sleep: () => alarm.sleep(),
    onFinished,
  });
  const forgetPrivate = () => deletePrivateDataUnlessOpen(store);
  // The link request is accepted even if checking for open private windows fails.
  const acceptedPrivate = () => forgetPrivate().catch(() => undefined);
  const linkSync = new LinkSync({ store, fetch, permitted });
  const syncMissing = () => linkSync.syncMissing().catch(() => undefined);
  const commands = new QueueCommands({
    store,
    waitForFirstSync: (connection) => linkSync.waitForFirstSync(connection),
    newId,
    generation,
    changed,
    acceptedPrivate,
  });
  const connections = new Connections({
    store,
    fetch,
    newId,
    randomBytes,
    random: Math.random,
    permitted,
    changed,
    connected: (id) => void linkSync.sync(id).catch(() => undefined),
  });
  const badge = async () => badgeOf(await store.queues());
  const now = () => clock();
  const shortener = new BrowserShortener({
    commands,
    newId,
    now,
    flash: (shown) => flashBadge(shown, badge),
  });
  const entryPoints = new EntryPoints(shortener);
  const links = (isPrivate: boolean) => store.links(isPrivate, {});
  const omnibox = new Omnibox({ shortener, entryPoints, links, now });

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
    void report(finished).catch(() => undefined);
  }

  async function report(finished: Finished): Promise<void> {
    void updateBadge();
    // If the badge cannot be shown, the results are still reported.
    if (finished.links.length > 0) await flashBadge(DONE, badge).catch(() => undefined);
    await reportResults(finished, (id) => store.group(true, id)).catch(() => undefined);
    if (finished.links.some(({ link }) => link.private) || finished.stuck.some((request) => request.private)) {
      await forgetPrivate();
    }
  }

  async function networkReturned(): Promise<void> {
    await runner.networkReturned();
    changed();
    void syncMissing();
  }

  async function deleteEverything(): Promise<void> {
    await store.deleteEverything();
    changed();
  }

  return {
    onMessage: createRouter({
      commands,
      connections,
      linkSync,
      store,
      online: networkReturned,
      changed,
      deleteEverything,
    }),
    onMenu: (info: Menus.OnClickData, tab?: Tabs.Tab) => entryPoints.menu(info, tab),
    onCommand: (command: string, tab?: Tabs.Tab) => entryPoints.command(command, tab),
    omnibox,
    onInstalled: async (details: Runtime.OnInstalledDetailsType) => {
      changed();
      await onInstalled(details, async () => (await store.queues()).length > 0).catch(() => undefined);
    },
    onUpdateAvailable: () => updateUnlessPrivate(store),
    onWake: changed,
    onOnline: networkReturned,
    /** @param id id of the closed window, or of the closed tab on Android, which has no windows */
    onWindowClosed: async (id?: number) => {
      omnibox.ended();
      await deletePrivateDataUnlessOpen(store, id).catch(() => undefined);
      changed();
    },
    onPermission: changed,
    onPermissionRemoved: () => removeUnusedRules().catch(() => undefined),
    /**
     * Continues the work of the previous background worker. Also deletes data from private windows if none is open,
     * because the browser may not have reported that they closed.
     */
    start: async () => {
      await forgetPrivate().catch(() => undefined);
      changed();
      void syncMissing();
      await store.forgetOld().catch(() => undefined);
    },
  };
}

function permitted(baseUrl: string): Promise<boolean> {
  return browser.permissions.contains({ origins: [hostPattern(baseUrl)] });
}
