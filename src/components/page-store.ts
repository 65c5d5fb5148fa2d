import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { readableUrl } from '@terse/contract/readable-host';
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
import type { Connection, VisibleQueues } from '../queue/types.ts';
import { onQueuesChanged } from '../storage/database.ts';
import { readList } from '../storage/load-page-data.ts';
import { readQueues, readStoredLinks, storedData } from './stored-data.ts';

export const PAGE_DEPS = {
  now: () => Date.now(),
  newId: (): string => crypto.randomUUID(),
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

/** Functions of the browser, the background worker, the database and the clock that the store of a page uses. */
export type PageDeps = typeof PAGE_DEPS;

/** Error message over a page. */
export interface FlashMessage {
  text: string;
  /** URL that the message is about, if the user needs to see this URL. */
  url?: string;
}

/** Interval in milliseconds at which a page updates its times. */
const TICK_MS = 5_000;

/** Part of a store that pages with requests share: the queues, the time, error messages and the clipboard. */
export type PageStore = ReturnType<typeof createPageStore>;

/**
 * Creates the store of a page. Components read its signals and call its functions. The store does not follow changes
 * until `start` is called.
 */
export function createPageStore(deps: PageDeps, first: VisibleQueues) {
  const flash = signal<FlashMessage | null>(null);
  /** Text that was copied last. Null if the last attempt failed. */
  const copied = signal<string | null>(null);
  const announced = signal('');
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

  /** Announces a text to screen readers. They read only changed text, so a space is added to repeated text. */
  function announce(text: string): void {
    announced.value = announced.value === text ? `${text}\u00A0` : text;
  }

  /**
   * Copies a text with international domains in readable form.
   *
   * @param quietly true to show no error if the browser refuses to copy
   */
  async function copy(text: string, quietly = false): Promise<void> {
    const readable = text.split('\n').map(readableUrl).join('\n');
    let problem: FlashMessage | null = null;
    try {
      await deps.writeClipboard(readable);
    } catch {
      problem = { text: t('copyRefused'), url: readable };
    }
    copied.value = problem === null ? text : null;
    if (!quietly) flash.value = problem;
  }

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

  /** Does what the user chose from `REMEDIES`. `requestId` is needed only for remedies of a single request. */
  function apply(remedy: Remedy, connection: Connection, requestId = ''): void {
    const connectionId = connection.id;
    if (remedy === 'allow') void allowAccess(connection);
    else if (remedy === 'retry' || remedy === 'send_again')
      void change({ type: 'retry', id: requestId, isUncertain: remedy === 'send_again' });
    else if (remedy === 'try_now') void change({ type: 'try-now', connectionId });
    else if (remedy === 'resume') void change({ type: 'set-paused', connectionId, isPaused: false });
    else void deps.openOptions();
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
    const clock = setInterval(() => {
      now.value = deps.now();
    }, TICK_MS);
    return together(
      stored.follow(onQueuesChanged),
      () => removeEventListener('online', setOnline),
      () => removeEventListener('offline', setOnline),
      () => clearInterval(clock),
    );
  }

  return {
    ...{ now, online, queues, connections, names, chosenId, chosen, quota, requests, flash, copied, announced },
    ...{ copy, announce, change, allowAccess, apply, start },
    view: stored.value,
    refresh: stored.refresh,
    openOptions: (): void => void deps.openOptions(),
  };
}

/** Returns a function that calls all these functions. */
export function together(...stops: (() => void)[]): () => void {
  return () => {
    for (const stop of stops) stop();
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
