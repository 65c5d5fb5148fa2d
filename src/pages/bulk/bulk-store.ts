import { computed, effect, signal } from '@preact/signals';
import { readSelectedLinks } from '../../browser/read-page.ts';
import { createPageStore, type PageDeps } from '../../components/page-store.ts';
import { storedData } from '../../components/stored-data.ts';
import { t } from '../../format/i18n.ts';
import { notShortenableMessage } from '../../format/status-text.ts';
import type { Accepted } from '../../messages/protocol.ts';
import type { Link, VisibleQueues } from '../../queue/types.ts';
import { capabilitiesOf } from '../../servers/capabilities.ts';
import { ownShortUrls } from '../../servers/own-short-urls.ts';
import { onLinksChanged } from '../../storage/change-broadcast.ts';
import type { Settings } from '../../storage/settings.ts';
import {
  type AddressList,
  EMPTY_LIST,
  type Entry,
  type Found,
  liveLinks,
  MAX_URLS,
  type Taken,
  takeText,
  urlsInQueue,
  withFound,
} from './list-model.ts';
import { askForTabs, giveBackTabs, readFile, readTransfer, tabsOfWindow } from './read-files-and-tabs.ts';

export interface BulkDeps extends PageDeps {
  /** Shows the progress of a list in place of this page. */
  showProgress: (listId: string) => void;
}

interface BulkStart {
  view: VisibleQueues;
  settings: Settings;
  /** Tab whose selected text may contain links. Null if there is no such tab. */
  selectionTabId: number | null;
}

export type BulkStore = ReturnType<typeof createBulkStore>;

/** Creates the store of the page on which the user collects URLs and sends them as one list. */
export function createBulkStore(deps: BulkDeps, { view, settings, selectionTabId }: BulkStart) {
  const page = createPageStore(deps, view);
  const { connections, chosen, now, flash } = page;
  const list = signal<AddressList>(EMPTY_LIST);
  /** Text in the input field, which is not in the list yet. */
  const text = signal('');
  const choices = signal<ReadonlyMap<string, boolean>>(new Map());
  const sending = signal(false);
  /** Last list that was accepted while this page stayed open, because part of the list was not sent. */
  const sent = signal<{ listId: string; count: number } | null>(null);
  /** Stays the same until the background worker replies, so that sending again creates no second list. */
  let listId = deps.newId();
  /** Connection to which a list was last sent. It may have accepted the list even if the reply was lost. */
  let sentTo: string | null = null;

  const entries = computed(() => list.value.entries);
  const links = storedData<Link[]>([], async () => {
    const urls = entries.peek().map(({ url }) => url);
    return urls.length > 0 ? deps.readLinks({ latest: 0, urls }) : [];
  });
  /** Links of the chosen connection that can be reused, by URL. */
  const known = computed(() => liveLinks(links.value.value, chosen.value?.connection.id ?? '', now.value));
  const waiting = computed(() => urlsInQueue(chosen.value?.requests ?? []));
  /** Entries that will be sent. A URL that has a link or waits is sent only if the user has selected it. */
  const selected = computed(() =>
    entries.value.filter(({ id, url }) => choices.value.get(id) ?? !(known.value.has(url) || waiting.value.has(url))),
  );

  /**
   * Number of HTTP requests that count against the daily quota. One HTTP request may contain several URLs, but a URL
   * that has a link or waits needs none.
   */
  const cost = computed(() => {
    const batchSize = chosen.value ? capabilitiesOf(chosen.value.connection).batchSize : 1;
    const isNew = ({ url }: Entry) => !known.value.has(url) && !waiting.value.has(url);
    return Math.ceil(selected.value.slice(0, MAX_URLS).filter(isNew).length / batchSize);
  });

  const say = (problem: string | null): void => {
    flash.value = problem === null ? null : { text: problem };
  };
  const add = (found: Found[]): void => {
    list.value = withFound(list.value, found, ownShortUrls(connections.value), settings, deps.newId);
  };

  /** Adds the found URLs. If there are none, or too many, shows the reason and returns false. */
  function take(found: Taken, none = t('noneFound')): boolean {
    if (typeof found === 'object') add(found);
    const problem = problemOf(found, none);
    say(problem);
    return problem === null;
  }

  async function addFiles(files: File[]): Promise<void> {
    let problem: string | null = null;
    for (const file of files) {
      const found = await readFile(file).catch(() => 'unreadable' as const);
      if (typeof found === 'object') add(found);
      // Keeps showing the first problem, even if later files have none.
      problem ??= problemOf(found, t('noneFound'));
      say(problem);
    }
  }

  /** Adds pasted or dropped data. Returns false if it contains nothing to add. */
  function addTransfer(transfer: DataTransfer): boolean {
    const { files, found } = readTransfer(transfer);
    const isAny = found === 'too_much' || found.length > 0;
    if (files.length > 0) void addFiles(files);
    else if (isAny) take(found);
    return files.length > 0 || isAny;
  }

  /** Adds the tabs of this window. Must be called in the click handler. */
  async function addTabs(): Promise<void> {
    try {
      if (!(await askForTabs())) return say(t('permissionDenied'));
      take(await tabsOfWindow().finally(giveBackTabs), t('manyNoTabs'));
    } catch {
      say(t('manyNoTabs'));
    }
  }

  async function addSelection(): Promise<void> {
    const found = await readSelectedLinks(selectionTabId ?? -1).catch(() => null);
    if (found) take(found, t('manySelectionNone'));
    else say(t('manySelectionGone'));
  }

  function choose(ids: string[], isChosen: boolean): void {
    choices.value = new Map([...choices.value, ...ids.map((id) => [id, isChosen] as const)]);
  }

  /** Puts the lines that cannot be sent back into the input field. */
  function editInvalid(): void {
    text.value = [text.value, ...list.value.invalid.map((one) => one.text)].filter(Boolean).join('\n');
    removeInvalid();
  }

  function removeInvalid(): void {
    list.value = { ...list.value, invalid: [] };
  }

  /** Gives new ids to the list and its entries, because ids that one connection has accepted belong to it. */
  function renewIds(): void {
    const renewed = entries.value.map((entry) => ({ ...entry, id: deps.newId() }));
    choices.value = new Map(
      entries.value.flatMap(({ id }, at) => {
        const [isChosen, next] = [choices.value.get(id), renewed[at]];
        return isChosen === undefined || !next ? [] : [[next.id, isChosen] as const];
      }),
    );
    list.value = { ...list.value, entries: renewed };
    listId = deps.newId();
  }

  /**
   * Sends the selected entries as one list. Refused entries stay on the page.
   */
  async function send(): Promise<void> {
    const connectionId = chosen.value?.connection.id ?? null;
    if (sentTo !== null && connectionId !== sentTo) renewIds();
    sentTo = connectionId;
    const sentEntries = selected.value.slice(0, MAX_URLS);
    const ids = sentEntries.map(({ id }) => id);
    sending.value = true;
    // Entries that wait in the queue are not selected by default, and must be sent again after a lost reply.
    choose(ids, true);
    try {
      const reply = await deps.ask<Accepted>({
        type: 'shorten',
        orders: sentEntries.map(({ id, url, title }) => ({ id, url, title })),
        connectionId,
        options: null,
        anew: false,
        listId,
      });
      if (!reply.ok) return say(notShortenableMessage(reply.code));
      accept(sentEntries, reply.value);
    } catch {
      say(t('noReply'));
    } finally {
      sending.value = false;
    }
  }

  /** Removes the accepted entries. Shows their progress, unless this page still has something to send or to correct. */
  function accept(sentEntries: Entry[], { refused }: Accepted): void {
    const refusedIds = new Set(refused.map(({ orderId }) => orderId));
    const accepted = new Set(sentEntries.map(({ id }) => id).filter((id) => !refusedIds.has(id)));
    list.value = { ...list.value, entries: entries.value.filter(({ id }) => !accepted.has(id)) };
    const [first] = refused;
    const url = sentEntries.find(({ id }) => id === first?.orderId)?.url;
    flash.value = first && url !== undefined ? { text: notShortenableMessage(first.code), url } : null;
    if (accepted.size === 0) return;
    sent.value = { listId, count: accepted.size };
    listId = deps.newId();
    const hasRest = selected.value.length + list.value.invalid.length > 0 || text.value.trim() !== '';
    if (!hasRest) deps.showProgress(sent.value.listId);
  }

  function start(): () => void {
    const isUnsaved = computed(() => selected.value.length > 0 || text.value.trim() !== '');
    const stops = [
      page.start(),
      links.follow(onLinksChanged),
      effect(() => void (entries.value && links.refresh().catch(() => undefined))),
      effect(() => {
        if (!isUnsaved.value) return;
        const ask = (event: BeforeUnloadEvent) => event.preventDefault();
        addEventListener('beforeunload', ask);
        return () => removeEventListener('beforeunload', ask);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  return {
    ...page,
    links: links.value,
    ...{ list, text, selected, known, waiting, cost, sending, sent, selectionTabId },
    ...{ addFiles, addTransfer, addTabs, addSelection, choose, editInvalid, removeInvalid, send, start },
    addText: (given: string) => take(takeText(given)),
    clear: () => {
      list.value = EMPTY_LIST;
    },
  };
}

/** Returns an error message if no URLs were added to the list, otherwise null. */
function problemOf(found: Taken | 'not_text' | 'unreadable', none: string): string | null {
  if (typeof found === 'string') return t(`importProblem_${found}`);
  return found.length === 0 ? none : null;
}
