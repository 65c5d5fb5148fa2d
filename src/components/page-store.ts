import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import browser from '../browser/browser.ts';
import { writeClipboard } from '../browser/clipboard-and-download.ts';
import { requestHostPermission } from '../browser/host-permissions.ts';
import { connectionNames } from '../format/display-text.ts';
import { t } from '../format/i18n.ts';
import { notShortenableMessage } from '../format/status-text.ts';
import { sendToBackground } from '../messages/ask-background.ts';
import { openTab } from '../messages/open-page-with-data.ts';
import type { Message } from '../messages/protocol.ts';
import { listRequests, quotaLeft, type Remedy } from '../queue/status.ts';
import type { Connection, Link, VisibleQueues } from '../queue/types.ts';
import { onQueuesChanged } from '../storage/database.ts';
import type { LinkQuery } from '../storage/links.ts';
import { readList } from '../storage/load-page-data.ts';
import { createCopier } from './copier.ts';
import { readQueues, readStoredLinks, storedData } from './stored-data.ts';

/** Functions of the browser, the background worker, the database and the clock that the store of a page uses. */
export interface PageDeps {
  now: () => number;
  newId: () => string;
  isOnline: () => boolean;
  ask: typeof sendToBackground;
  readQueues: () => Promise<VisibleQueues>;
  readLinks: (query: LinkQuery) => Promise<Link[]>;
  readList: typeof readList;
  writeClipboard: (text: string) => Promise<void>;
  requestHost: (baseUrl: string) => Promise<boolean>;
  openTab: (url: string) => Promise<void>;
  openOptions: () => Promise<void>;
}

export const PAGE_DEPS: PageDeps = {
  now: Date.now,
  newId: () => crypto.randomUUID(),
  isOnline: () => navigator.onLine,
  ask: sendToBackground,
  readQueues,
  readLinks: readStoredLinks,
  readList,
  writeClipboard,
  requestHost: requestHostPermission,
  openTab,
  openOptions: () => browser.runtime.openOptionsPage(),
};

/** Interval in milliseconds at which a page updates its times. */
const TICK_MS = 5_000;

/** Part of a store that pages with requests share: the queues, the time, error messages and the clipboard. */
export type PageStore = ReturnType<typeof createPageStore>;

/**
 * Creates the store of a page. Components read its signals and call its functions. The store does not follow changes
 * until `start` is called.
 */
export function createPageStore(deps: PageDeps, first: VisibleQueues) {
  const { flash, copied, copy, announced, announce } = createCopier(deps.writeClipboard);
  const now = signal(deps.now());
  const online = signal(deps.isOnline());
  const stored = storedData(first, deps.readQueues);
  const queues = computed(() => stored.value.value.queues);
  const connections = computed(() => queues.value.map(({ connection }) => connection));
  /** Names of the connections, by their ids. */
  const names = computed(() => connectionNames(connections.value));
  /** Id of the connection that the user chose on this page. Null for the default connection. */
  const chosenId = signal<string | null>(null);
  /** Queue of the chosen connection. Null if there is no connection. */
  const chosen = computed(
    () => queues.value.find(({ connection }) => connection.id === chosenId.value) ?? queues.value[0] ?? null,
  );
  const quota = computed(() => chosen.value && quotaLeft(chosen.value, now.value));
  const requests = computed(() => listRequests(stored.value.value, now.value, online.value));

  /** Sends a change to the background worker. Returns true on success; otherwise shows the error. */
  async function change(message: Message): Promise<boolean> {
    const problem = await deps.ask(message).then(
      (reply) => (reply.ok ? null : notShortenableMessage(reply.code)),
      () => t('noReply'),
    );
    // If there is no reply, the change may or may not have happened. Re-reading the data shows which.
    await stored.refresh().catch(() => undefined);
    flash.value = problem === null ? null : { text: problem };
    return problem === null;
  }

  /**
   * Asks the user for permission to access a connection's host. If the user agrees, the queue resumes. Must be called
   * in the click handler. Returns true if the extension may now access the host.
   */
  async function allowAccess({ id, baseUrl }: Connection): Promise<boolean> {
    const isAllowed = await deps.requestHost(baseUrl);
    if (isAllowed) await change({ type: 'try-now', connectionId: id });
    else flash.value = { text: t('permissionDenied') };
    return isAllowed;
  }

  const openOptions = (): void => void deps.openOptions();

  /** Does what the user chose from `REMEDIES`. `requestId` is needed only for remedies of a single request. */
  function apply(remedy: Remedy, connection: Connection, requestId = ''): void {
    const connectionId = connection.id;
    if (remedy === 'allow') void allowAccess(connection);
    else if (remedy === 'retry' || remedy === 'send_again') void change({ type: 'retry', id: requestId });
    else if (remedy === 'try_now') void change({ type: 'try-now', connectionId });
    else if (remedy === 'resume') void change({ type: 'set-paused', connectionId, isPaused: false });
    else openOptions();
  }

  /** Follows the database, the network and the clock. Returns a function that stops this. */
  function start(): () => void {
    const setOnline = () => {
      online.value = deps.isOnline();
      // Chromium's service workers get no `online` event. The worker also checks this itself, so errors are ignored.
      if (online.value) void sendToBackground({ type: 'online' }).catch(() => undefined);
    };
    addEventListener('online', setOnline);
    addEventListener('offline', setOnline);
    const stop = stored.follow(onQueuesChanged);
    const clock = setInterval(() => {
      now.value = deps.now();
    }, TICK_MS);
    return () => {
      removeEventListener('online', setOnline);
      removeEventListener('offline', setOnline);
      clearInterval(clock);
      stop();
    };
  }

  return {
    ...{ now, online, queues, connections, names, chosenId, chosen, quota, requests, flash, copied, announced },
    ...{ copy, announce, change, allowAccess, openOptions, apply, start },
    view: stored.value,
    refresh: () => stored.refresh(),
  };
}

/**
 * Makes the browser ask for confirmation before it closes a page with unsaved input. Returns a function that stops
 * this.
 */
export function askBeforeClosing(hasUnsaved: ReadonlySignal<boolean>): () => void {
  return effect(() => {
    if (!hasUnsaved.value) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  });
}
