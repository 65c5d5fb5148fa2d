import { hostPattern } from '../messages/host-pattern.ts';
import type { Menus, Runtime, Tabs } from '../platform/browser.ts';
import browser from '../platform/browser.ts';
import { randomBytes } from '../platform/random-bytes.ts';
import { startClock } from '../queue/clock.ts';
import { lookUp } from '../service/look-up.ts';
import { probeResult, probeService } from '../service/probe.ts';
import { type Fetch, sendAttempt } from '../service/send.ts';
import { openDatabase } from '../storage/database.ts';
import { Store } from '../storage/store.ts';
import { Alarm } from './alarm.ts';
import { badgeOf, DONE, flash, showBadge } from './badge.ts';
import { reportCompleted } from './completed.ts';
import type { Completed } from './completed-requests.ts';
import { closeConnectionsTo } from './connection-close.ts';
import { Connections } from './connections.ts';
import { installed } from './installed.ts';
import { Omnibox } from './omnibox.ts';
import { OrderFromBrowser } from './order-from-browser.ts';
import { forgetPrivateUnlessOpen, updateUnlessPrivate } from './private-windows.ts';
import { QueueCommands } from './queue-commands.ts';
import { QueueRunner } from './queue-runner.ts';
import { createRouter } from './router.ts';
import { WaysIn } from './ways-in.ts';

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
    closeConnections: closeConnectionsTo,
    send: (destination, attempt) => sendAttempt(fetch, destination, attempt, () => clock().now),
    lookUp: (destination, codes) => lookUp(fetch, destination, codes),
    probe: async (baseUrl, apiKey) => probeResult(await probeService(fetch, baseUrl, apiKey)),
    wake: (wake) => alarm.wake(wake, clock().now),
    sleep: () => alarm.sleep(),
    completed: (completed) => void report(completed).catch(() => undefined),
  });
  const recovered = () => runner.recovered();
  const forgetPrivate = () => forgetPrivateUnlessOpen(store);
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
    closeConnections: closeConnectionsTo,
    recovered,
    changed,
  });
  const badge = async () => badgeOf(await store.queues());
  const now = () => clock().now;
  const order = new OrderFromBrowser({
    commands,
    newId,
    now,
    flash: (shown) => flash(shown, badge),
  });
  const waysIn = new WaysIn(order);
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
    if (completed.links.length > 0) await flash(DONE, badge).catch(() => undefined);
    await reportCompleted(completed, (id) => store.group(true, id)).catch(() => undefined);
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
      await installed(details, async () => (await store.queues()).length > 0).catch(() => undefined);
    },
    onUpdateAvailable: () => updateUnlessPrivate(store),
    onWake: changed,
    onOnline: networkReturned,
    /** `id`: a window's, or, where there are none, a tab's. */
    onWindowClosed: async (id?: number) => {
      omnibox.ended();
      await forgetPrivateUnlessOpen(store, id).catch(() => undefined);
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
