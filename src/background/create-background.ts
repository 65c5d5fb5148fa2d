import type { Menus, Runtime, Tabs } from '../browser/browser.ts';
import browser from '../browser/browser.ts';
import { hostPattern } from '../browser/host-permissions.ts';
import { startClock } from '../queue/limits/clock-changes.ts';
import { randomBytes } from '../queue/short-code-generator.ts';
import { type Fetch, sendAttempt } from '../services/terse/create-links.ts';
import { lookUp } from '../services/terse/find-created-links.ts';
import { probeResult, probeService } from '../services/terse/probe.ts';
import { openDatabase } from '../storage/database.ts';
import { Store } from '../storage/store.ts';
import { Alarm } from './alarm.ts';
import { Connections } from './commands/connection-commands.ts';
import { QueueCommands } from './commands/shorten-command.ts';
import { EntryPoints } from './entry-points/keyboard-shortcuts.ts';
import { Omnibox } from './entry-points/omnibox.ts';
import { BrowserShortener } from './entry-points/shorten-from-browser.ts';
import { createRouter } from './message-router.ts';
import { onInstalled } from './on-install.ts';
import { disableKeepAlive } from './prevent-duplicate-post.ts';
import { deletePrivateDataUnlessOpen, updateUnlessPrivate } from './private-windows.ts';
import { QueueRunner } from './queue-runner.ts';
import type { Completed } from './results/finished-requests.ts';
import { reportResults } from './results/report-results.ts';
import { badgeOf, DONE, flashBadge, showBadge } from './results/toolbar-badge.ts';

/** Puts the background together: the one place that knows which dependency is which. */
export function createBackground() {
  const clock = startClock();
  const store = new Store(openDatabase, clock);
  const fetch: Fetch = (url, init) => globalThis.fetch(url, init);
  const online = () => navigator.onLine;
  const newId = () => crypto.randomUUID();
  const minting = { newKey: newId, randomBytes };
  const alarm = new Alarm(changed, online);

  const runner: QueueRunner = new QueueRunner({
    store,
    clock,
    random: Math.random,
    newId,
    minting,
    online,
    permitted: ({ baseUrl }) => permitted(baseUrl),
    closeConnections: disableKeepAlive,
    send: (destination, attempt) => sendAttempt(fetch, destination, attempt, () => clock().now),
    lookUp: (destination, codes) => lookUp(fetch, destination, codes),
    probe: async (baseUrl, apiKey, known) => probeResult(await probeService(fetch, baseUrl, apiKey, known)),
    wake: (wake) => alarm.wake(wake, clock().now),
    sleep: () => alarm.sleep(),
    completed: (completed) => void report(completed).catch(() => undefined),
  });
  const recovered = () => runner.recovered();
  const forgetPrivate = () => deletePrivateDataUnlessOpen(store);
  // What has been accepted is: that windows cannot be asked about is no failure of it.
  const acceptedPrivate = () => forgetPrivate().catch(() => undefined);
  const commands = new QueueCommands({
    store,
    newId,
    minting,
    recovered,
    decide: (...asked) => runner.decide(...asked),
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
    closeConnections: disableKeepAlive,
    recovered,
    changed,
  });
  const badge = async () => badgeOf(await store.queues());
  const now = () => clock().now;
  const order = new BrowserShortener({
    commands,
    newId,
    now,
    flash: (shown) => flashBadge(shown, badge),
  });
  const waysIn = new EntryPoints(order);
  const links = (isPrivate: boolean) => store.links(isPrivate, {});
  const omnibox = new Omnibox({ order, waysIn, links, now });

  function changed(): void {
    // A run that fails has seen to it that another one comes; what it leaves is read from the database then.
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

  async function report(completed: Completed): Promise<void> {
    void updateBadge();
    // Each by itself: a badge that cannot be set keeps nobody from being notified, nor that from being forgotten.
    if (completed.links.length > 0) await flashBadge(DONE, badge).catch(() => undefined);
    await reportResults(completed, (id) => store.group(true, id)).catch(() => undefined);
    if (completed.links.some(({ link }) => link.private) || completed.stuck.some((request) => request.private)) {
      await forgetPrivate();
    }
  }

  async function networkReturned(): Promise<void> {
    await runner.recovered();
    await runner.networkReturned();
    changed();
  }

  async function deleteEverything(): Promise<void> {
    await store.deleteEverything();
    changed();
  }

  return {
    onMessage: createRouter({ commands, connections, store, online: networkReturned, changed, deleteEverything }),
    onMenu: (info: Menus.OnClickData, tab?: Tabs.Tab) => waysIn.menu(info, tab),
    onCommand: (command: string, tab?: Tabs.Tab) => waysIn.command(command, tab),
    omnibox,
    onInstalled: async (details: Runtime.OnInstalledDetailsType) => {
      changed();
      await onInstalled(details, async () => (await store.queues()).length > 0).catch(() => undefined);
    },
    onUpdateAvailable: () => updateUnlessPrivate(store),
    onWake: changed,
    onOnline: networkReturned,
    /** `id`: a window's, or, where there are none, a tab's. */
    onWindowClosed: async (id?: number) => {
      omnibox.ended();
      await deletePrivateDataUnlessOpen(store, id).catch(() => undefined);
      changed();
    },
    /** A grant ends the halts that wait for it: whoever runs their queues looks. */
    onPermission: changed,
    /** What no event brings: what a worker before left, and what private windows left that closed without one. */
    start: async () => {
      await forgetPrivate().catch(() => undefined);
      changed();
      await store.forgetOld().catch(() => undefined);
    },
  };
}

function permitted(baseUrl: string): Promise<boolean> {
  return browser.permissions.contains({ origins: [hostPattern(baseUrl)] });
}
