import { computed, signal } from '@preact/signals';
import { readSelectedLinks } from '../../browser/read-page.ts';
import { askBeforeClosing, createPageStore, type PageDeps, together } from '../../components/page-store.ts';
import { plural, t } from '../../format/i18n.ts';
import { notShortenableMessage } from '../../format/status-text.ts';
import { pageAddress } from '../../messages/open-page-with-data.ts';
import type { Accepted } from '../../messages/protocol.ts';
import type { VisibleQueues } from '../../queue/types.ts';
import { ownShortUrls } from '../../servers/capabilities.ts';
import type { Settings } from '../../storage/settings.ts';
import {
  type Entry,
  MAX_URLS,
  readFile,
  readTabs,
  readTransfer,
  type Taken,
  takeText,
  withFound,
} from './collect-urls.ts';

export interface BulkDeps extends PageDeps {
  /** Replaces this page by the progress of a list. */
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
  const { connections, chosenId, chosen, flash } = page;
  const entries = signal<Entry[]>([]);
  /** Text in the input field, which is not in the list yet. */
  const text = signal('');
  const sending = signal(false);
  /** Stays the same until the background worker replies, so that sending again creates no second list. */
  let listId = deps.newId();

  const invalid = computed(() => entries.value.filter(({ problem }) => problem !== null));
  const valid = computed(() => entries.value.filter(({ problem }) => problem === null));

  function say(problem: string | null): void {
    flash.value = problem === null ? null : { text: problem };
  }

  /** Adds the found URLs. If there are none, or too many, shows the reason and returns false. */
  function take(found: Taken | 'not_text' | 'unreadable', none = t('noneFound')): boolean {
    if (typeof found === 'string') say(t(`importProblem_${found}`));
    else {
      entries.value = withFound(entries.value, found, ownShortUrls(connections.value), settings, deps.newId);
      say(found.length === 0 ? none : null);
      if (found.length > 0) page.announce(plural('groupTitle', entries.value.length));
    }
    return flash.value === null;
  }

  async function addFile(file: File): Promise<void> {
    take(await readFile(file).catch(() => 'unreadable' as const));
  }

  /** Adds pasted or dropped data. Returns false if it contains nothing to add. */
  function addTransfer(transfer: DataTransfer): boolean {
    const [file] = transfer.files;
    const found = file ? [] : readTransfer(transfer);
    if (file) void addFile(file);
    else if (found.length > 0) take(found);
    return file !== undefined || found.length > 0;
  }

  /** Adds the tabs of this window. Must be called in the click handler. */
  async function addTabs(): Promise<void> {
    const found = await readTabs().catch(() => []);
    if (found) take(found, t('manyNoTabs'));
    else say(t('permissionDenied'));
  }

  async function addSelection(): Promise<void> {
    const found = await readSelectedLinks(selectionTabId ?? -1).catch(() => null);
    if (found) take(found, t('manySelectionNone'));
    else say(t('manySelectionGone'));
  }

  /** Switches to a connection. Ids that another one may have accepted belong to it, so all ids change. */
  function choose(connectionId: string): void {
    if (sending.value) return;
    chosenId.value = connectionId;
    entries.value = entries.value.map((entry) => ({ ...entry, id: deps.newId() }));
    listId = deps.newId();
  }

  /**
   * Sends the valid entries as one list. Then removes the accepted entries and shows their progress. Refused entries
   * stay on the page, with the reasons.
   */
  async function send(): Promise<void> {
    if (sending.value) return;
    const connectionId = chosen.value?.connection.id ?? null;
    const orders = valid.value.slice(0, MAX_URLS).map(({ id, url, title }) => ({ id, url, title }));
    sending.value = true;
    const command = { type: 'shorten', orders, connectionId, options: null, anew: false, listId } as const;
    const reply = await deps.ask<Accepted>(command).catch(() => null);
    sending.value = false;
    if (!reply?.ok) return say(reply ? notShortenableMessage(reply.code) : t('noReply'));
    say(null);
    const sent = new Set(orders.map(({ id }) => id));
    const problems = new Map(reply.value.refused.map(({ orderId, code }) => [orderId, code]));
    entries.value = entries.value
      .map((entry) => ({ ...entry, problem: problems.get(entry.id) ?? entry.problem }))
      .filter(({ id, problem }) => problem !== null || !sent.has(id));
    if (problems.size < sent.size) showProgress();
  }

  /** Shows the progress of the list. If something is left to send or to correct, this page stays open. */
  function showProgress(): void {
    const accepted = listId;
    listId = deps.newId();
    if (entries.value.length === 0 && text.value.trim() === '') deps.showProgress(accepted);
    else void deps.openTab(pageAddress('queue', `list=${accepted}`));
  }

  function start(): () => void {
    const isUnsaved = computed(() => valid.value.length > 0 || text.value.trim() !== '');
    return together(page.start(), askBeforeClosing(isUnsaved));
  }

  return {
    ...page,
    ...{ entries, invalid, valid, text, sending, selectionTabId },
    ...{ addFile, addTransfer, addTabs, addSelection, choose, send, start },
    addText: (given: string) => take(takeText(given)),
    remove: (id: string): void => {
      entries.value = entries.value.filter((entry) => entry.id !== id);
    },
    clear: (): void => {
      entries.value = [];
    },
  };
}
