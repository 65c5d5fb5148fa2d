import { computed, effect, signal, untracked } from '@preact/signals';
import type { Analytics } from '@terse/contract/analytics';
import { saveFile } from '../../browser/clipboard-and-download.ts';
import { createPageStore, PAGE_DEPS, type PageDeps, together } from '../../components/page-store.ts';
import { storedData } from '../../components/stored-data.ts';
import { displayText } from '../../format/display-text.ts';
import { joinSentences, t } from '../../format/i18n.ts';
import { notShortenableMessage, serviceProblemMessage } from '../../format/status-text.ts';
import { linksToCsv } from '../../import-export/csv-export.ts';
import { connectionOfLink, deleteLinks, editLink, readClicks } from '../../link-sync/ask-server.ts';
import type { SyncResult } from '../../messages/protocol.ts';
import type { Connection, Link, VisibleQueues } from '../../queue/types.ts';
import { type LinkChanges, type ServiceFailure, type ServiceProblem, serviceFailure } from '../../servers/adapter.ts';
import { capabilitiesOf, kindOf, ownShortUrls } from '../../servers/capabilities.ts';
import { onLinksChanged, onSyncProgress } from '../../storage/database.ts';
import { isWebUrl, type NotShortenable, typedTarget } from '../../urls/shortenable-url-rules.ts';
import { createDeletion } from './deletion.ts';
import { prepareSearch, type Sort, searchLinks, sortLinks } from './search-and-sort.ts';

/** Functions of the browser, the background worker and the database that the links page uses. */
export interface LinksDeps extends PageDeps {
  deleteLinks: typeof deleteLinks;
  editLink: typeof editLink;
  readClicks: typeof readClicks;
  saveFile: typeof saveFile;
}

export const LINKS_DEPS: LinksDeps = { ...PAGE_DEPS, deleteLinks, editLink, readClicks, saveFile };

export interface LinksStart {
  /** The latest links. The store reads the others when it starts. */
  links: Link[];
  view: VisibleQueues;
  /** Initial search text. */
  search?: string;
}

/** A dialog about a link, and the connection whose server can change the link. */
interface OpenDialog {
  kind: 'edit' | 'clicks';
  link: Link;
  server: Connection;
}

export type LinkDialogProps = Pick<OpenDialog, 'link' | 'server'> & { store: LinksStore };

/** State of reading a server's list: the number of links read so far, the problem, or null if there is neither. */
export type SyncState = number | ServiceProblem | null;

/** Number of links that the page shows before it reads the older ones. */
export const FIRST_LINKS = 60;

const NO_CONNECTION = serviceFailure('no_connection');

export type LinksStore = ReturnType<typeof createLinksStore>;

/** Creates the store of the page that lists all links. */
export function createLinksStore(deps: LinksDeps, { links: first, view, search = '' }: LinksStart) {
  const page = createPageStore(deps, view);
  const { connections, flash } = page;
  const stored = storedData(first, () => deps.readLinks({}));
  const deletion = createDeletion(deps.deleteLinks, flash, stored.refresh);
  /** False until all links have been read. */
  const isComplete = computed(() => stored.value.value !== first || first.length !== FIRST_LINKS);
  const links = computed(() => stored.value.value.filter(({ id }) => !deletion.hidden.value.has(id)));

  const sort = signal<Sort>('newest');
  const query = signal(search);
  const sorted = computed(() => sortLinks(links.value, sort.value));
  /** Links that the search finds. */
  const found = computed(() => searchLinks(sorted.value, query.value));

  const selectedIds = signal<ReadonlySet<string>>(new Set());
  const selected = computed(() =>
    selectedIds.value.size === 0 ? [] : found.value.filter(({ id }) => selectedIds.value.has(id)),
  );

  function select(ids: string[], isSelected: boolean): void {
    const changed = new Set(ids);
    selectedIds.value = isSelected ? selectedIds.value.union(changed) : selectedIds.value.difference(changed);
  }

  function clearSelection(): void {
    selectedIds.value = new Set();
  }

  /** Hides links, and deletes them after the undo period. */
  function remove(some: Link[]): void {
    deletion.start({ links: some, connections: connections.value });
    clearSelection();
  }

  /** Dialog about a link that is open. */
  const dialog = signal<OpenDialog | null>(null);
  const syncs = signal<ReadonlyMap<string, SyncState>>(new Map());
  const setSync = (id: string, state: SyncState): void => {
    syncs.value = new Map(syncs.value).set(id, state);
  };

  /** Reads a server's list of links. */
  async function sync({ id }: Connection): Promise<void> {
    setSync(id, 0);
    const reply = await deps.ask<SyncResult>({ type: 'sync-links', connectionId: id }).catch(() => null);
    const result = reply?.ok ? reply.value : ({ problem: 'unreachable' } as const);
    setSync(id, result && 'problem' in result ? result.problem : null);
  }

  const readable = computed(() => connections.value.filter((connection) => capabilitiesOf(connection).list));
  /** Changes when the lists must be read again. */
  const readableKey = computed(() => JSON.stringify(readable.value.map((one) => [one.id, kindOf(one), one.revision])));

  const connectionOf = (link: Link): Connection | null => connectionOfLink(link, connections.value);
  const nameOf = ({ connectionId }: Link): string => page.names.value.get(connectionId ?? '') ?? '';

  /** Changes a link on its server. Resolves to null, or to an error message if the change fails. */
  async function edit(link: Link, changes: LinkChanges): Promise<string | null> {
    const clean = cleanChanges(changes, connections.value);
    if ('blocked' in clean) return notShortenableMessage(clean.blocked);
    const connection = connectionOf(link);
    const failure = connection ? await deps.editLink(connection, link, clean) : NO_CONNECTION;
    // The link was deleted elsewhere, so the list is outdated.
    if (connection && failure?.problem === 'gone') void sync(connection);
    return failure && editMessage(failure, nameOf(link));
  }

  /** Requests a link's clicks. Resolves to an error message if the request fails. */
  async function clicksOf(link: Link): Promise<Analytics | string> {
    const connection = connectionOf(link);
    const clicks = connection ? await deps.readClicks(connection, link) : NO_CONNECTION;
    return 'problem' in clicks ? serviceProblemMessage(clicks.problem, nameOf(link), 'read') : clicks;
  }

  /** Follows the links, and reads the servers' lists now, when a connection changes and when the browser is online. */
  function start(): () => void {
    const finishDeletion = () => void deletion.finish();
    addEventListener('pagehide', finishDeletion);
    return together(
      page.start(),
      stored.follow(onLinksChanged),
      onSyncProgress((id, count) => {
        if (typeof syncs.value.get(id) === 'number') setSync(id, count);
      }),
      effect(() => {
        if (!page.online.value || readableKey.value === '[]') return;
        untracked(() => {
          for (const connection of readable.value) void sync(connection);
        });
      }),
      effect(() => prepareSearch(stored.value.value)),
      () => removeEventListener('pagehide', finishDeletion),
    );
  }

  return {
    ...page,
    ...{ isComplete, links, sort, query, found, selected, select, clearSelection, syncs, sync, deletion, remove },
    ...{ edit, clicksOf, start },
    setQuery: (text: string): void => {
      query.value = text;
    },
    dialog,
    closeDialog: (): void => {
      dialog.value = null;
    },
    /** Short URL whose QR code is shown. */
    qr: signal<string | null>(null),
    open: ({ shortUrl }: Link): void => {
      if (isWebUrl(shortUrl)) void deps.openTab(shortUrl);
    },
    exportCsv: (some: Link[]): void =>
      deps.saveFile(new Blob([linksToCsv(some)], { type: 'text/csv' }), 'terse-links.csv'),
    /** Asks for access to a connection's host, and then reads its links. */
    allowAndSync: async (connection: Connection): Promise<void> => {
      if (await page.allowAccess(connection)) await sync(connection);
    },
  };
}

/**
 * Returns the message for a change that failed. If the server refused it for an unknown reason, the server's own
 * message is added.
 */
function editMessage({ problem, code, message }: ServiceFailure, name: string): string {
  if (code === 'invalid_url') return t('problem_invalid_url');
  if (code === 'target_refused') return t('problem_target_refused');
  if (code === 'expired') return t('expiryPast');
  return joinSentences(
    serviceProblemMessage(problem, name, 'manage'),
    problem === 'refused' ? displayText(message) : '',
  );
}

/**
 * Cleans up a changed URL, or returns the reason why the URL cannot be shortened. Servers report every invalid URL
 * with the same error code, so the reason is determined here.
 */
export function cleanChanges(
  changes: LinkChanges,
  connections: Connection[],
): LinkChanges | { blocked: NotShortenable } {
  if (changes.url === undefined) return changes;
  const target = typedTarget(changes.url, ownShortUrls(connections));
  return 'blocked' in target ? target : { ...changes, url: target.url };
}
