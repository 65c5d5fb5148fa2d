import type { Menus, Permissions, Tabs } from 'webextension-polyfill';
import browser from 'webextension-polyfill';
import { hostPattern } from '../messages/host-pattern.ts';
import type { Reply } from '../messages/messages.ts';
import { startClock } from '../queue/clock.ts';
import { networkReturned, resume } from '../queue/requests.ts';
import type { Attempt, ConnectionInfo, Request, Snapshot } from '../queue/types.ts';
import { lookAt, toldBy } from '../service/look.ts';
import { type Fetch, sendAttempt } from '../service/send.ts';
import { openDatabase } from '../storage/database.ts';
import { Store } from '../storage/store.ts';
import { sleep, wakeAt } from './alarm.ts';
import { tellArrivals, tellRefusal } from './arrivals.ts';
import { badgeOf, DONE, flash, REFUSED, showBadge } from './badge.ts';
import { Connections, serviceOf } from './connections.ts';
import { failureCode } from './failure.ts';
import { chosen } from './menu.ts';
import { forgetPrivate } from './private-windows.ts';
import { type Arrival, Pump } from './pump.ts';
import { createRouter } from './router.ts';
import { Wishes } from './wishes.ts';

/** Puts the background together: the one place that knows which door is which. */
export function createBackground() {
  const clock = startClock();
  const store = new Store(openDatabase, clock);
  const fetch: Fetch = (url, init) => globalThis.fetch(url, init);

  const pump: Pump = new Pump({
    store,
    clock,
    chance: Math.random,
    online: () => navigator.onLine,
    permitted: ({ baseUrl }) => permitted(baseUrl),
    send: async (connection: ConnectionInfo, attempt: Attempt) =>
      sendAttempt(fetch, connection, (await store.apiKey()) ?? '', attempt, () => clock().now),
    look: async (connection) => {
      const sighting = await lookAt(fetch, connection.baseUrl, (await store.apiKey()) ?? '');
      return { told: toldBy(sighting), service: serviceOf(sighting) };
    },
    wakeAt: (until) => wakeAt(until, clock().now, moved),
    sleep,
    settled,
  });
  const wishes = new Wishes(store, () => pump.recovered(), moved);
  const connections = new Connections({ store, fetch, permitted, ready: () => pump.recovered(), moved });

  function moved(): void {
    void pump.run().finally(updateBadge);
    void updateBadge();
  }

  async function settled(arrivals: Arrival[], stuck: Request[]): Promise<void> {
    if (arrivals.length > 0) await flash(DONE, badge);
    await tellArrivals(arrivals, stuck);
    if (arrivals.some(({ link }) => link.private) || stuck.some((request) => request.private))
      await forgetPrivate(store);
  }

  const read = () => store.transact((snapshot) => ({ snapshot, value: snapshot }));
  const badge = async () => badgeOf(await read());
  const updateBadge = async () => showBadge(await badge());

  async function change(rule: (snapshot: Snapshot) => Snapshot): Promise<void> {
    await pump.recovered();
    await store.transact((snapshot) => ({ snapshot: rule(snapshot), value: null }));
    moved();
  }

  async function shorten(page: { url: string; title: string } | null, isPrivate: boolean): Promise<void> {
    const id = crypto.randomUUID();
    const wish = { id, url: page?.url ?? '', title: page?.title ?? '', private: isPrivate };
    // Nobody else is told of an error here: there is no page that asked.
    const reply = await wishes.shorten(wish).catch((error): Reply => ({ ok: false, code: failureCode(error) }));
    if (reply.ok) return;
    await flash(REFUSED, badge);
    await tellRefusal(reply.code);
  }

  return {
    onMessage: createRouter({ wishes, connections, store, resume: () => change(resume) }),
    onMenu: (info: Menus.OnClickData, tab?: Tabs.Tab) => shorten(chosen(info, tab), tab?.incognito ?? false),
    onCommand: (command: string, tab?: Tabs.Tab) =>
      command === 'shorten-page'
        ? shorten({ url: tab?.url ?? '', title: tab?.title ?? '' }, tab?.incognito ?? false)
        : Promise.resolve(),
    onWake: moved,
    onOnline: () => change(networkReturned),
    onWindowClosed: async () => {
      await pump.recovered();
      await forgetPrivate(store);
      moved();
    },
    onPermission: async ({ origins = [] }: Permissions.Permissions) => {
      if (origins.length > 0) await change(resume);
    },
  };
}

function permitted(baseUrl: string): Promise<boolean> {
  return browser.permissions.contains({ origins: [hostPattern(baseUrl)] });
}
