import { batch, computed, effect, signal } from '@preact/signals';
import type { Connection as ConnectionLink } from '@terse/contract/connection-link';
import {
  type Answer,
  CONNECTING,
  type ConnectingHandlers,
  forgetConnection,
} from '../../components/connection-form/connecting-handlers.ts';
import { createPageStore, PAGE_DEPS, type PageDeps } from '../../components/page-store.ts';
import type { SettingsStore } from '../../components/settings-store.ts';
import { pageAddress } from '../../messages/open-page-with-data.ts';
import type { Queue, VisibleQueues } from '../../queue/types.ts';
import { createDataStore, DATA_FILES, type DataFiles } from './data-store.ts';

/** Functions of the browser, the background worker and the database that the options page uses. */
export interface OptionsDeps extends PageDeps {
  connecting: ConnectingHandlers;
  forget: (connectionId: string) => Promise<Answer<null>>;
  files: DataFiles;
}

export const OPTIONS_DEPS: OptionsDeps = {
  ...PAGE_DEPS,
  connecting: CONNECTING,
  forget: forgetConnection,
  files: DATA_FILES,
};

export interface OptionsStart {
  /** The queue of the default connection comes first. */
  view: VisibleQueues;
  /** Connection described by the connection link that opened this page, or null. */
  offered: ConnectionLink | null;
  settings: SettingsStore;
}

/** A row of the list of connections. */
export interface ConnectionRowModel {
  /**
   * Preact key of the row. A new connection keeps the key of the form in which it was entered. Preact then reuses the
   * form, so that the form's messages stay visible.
   */
  key: string;
  /** Null if the row is the form for a new connection. */
  queue: Queue | null;
  isOpen: boolean;
}

export type OptionsStore = ReturnType<typeof createOptionsStore>;

/** Creates the store of the options page. At most one row of the list of connections is open at a time. */
export function createOptionsStore(deps: OptionsDeps, { view, offered, settings }: OptionsStart) {
  const page = createPageStore(deps, view);
  const created = signal<Record<string, string>>({});
  const newKey = computed(() => `new-${Object.keys(created.value).length}`);
  const keyOf = ({ connection: { id } }: Queue) => created.value[id] ?? id;
  const blocked = view.queues.find(({ state }) => state.blocked !== null);
  /** Key of the row that is open. Initially, the user sees the form that needs an input. */
  const open = signal(offered || view.queues.length === 0 ? newKey.value : blocked ? keyOf(blocked) : null);
  /** Id of a saved connection that the page has not read yet. */
  const unread = signal<string | null>(null);
  effect(() => {
    if (page.connections.value.some(({ id }) => id === unread.value)) unread.value = null;
  });
  /**
   * Key of the form for a new connection, or null. If there is no connection, the form for the first one is always open.
   * A form whose connection was saved stays until the page has read the connection, so that its messages stay visible.
   */
  const formKey = computed(() => {
    if (unread.value !== null) return created.value[unread.value] ?? null;
    return page.queues.value.length === 0 || open.value === newKey.value ? newKey.value : null;
  });
  const isAdding = computed(() => formKey.value !== null);
  const rows = computed((): ConnectionRowModel[] => {
    const stored = page.queues.value.map((queue) => ({
      key: keyOf(queue),
      queue,
      isOpen: keyOf(queue) === open.value,
    }));
    return formKey.value === null ? stored : [...stored, { key: formKey.value, queue: null, isOpen: true }];
  });
  /** Result of removing a connection. Null if the page shows none. */
  const forgotten = signal<Answer<null> | null>(null);

  async function forget(connectionId: string): Promise<void> {
    const answer = await deps.forget(connectionId);
    forgotten.value = answer;
    await page.refresh().catch(() => undefined);
    if (answer.ok) open.value = page.queues.value.length === 0 ? newKey.value : null;
  }

  /**
   * After an import into an empty list, opens the row of a connection that needs its API key. If the form for a new
   * connection stayed open, the user could enter the key there by mistake.
   */
  async function showImported(wasEmpty: boolean): Promise<void> {
    await page.refresh().catch(() => undefined);
    const [first] = page.queues.value;
    if (wasEmpty && first?.state.blocked === 'key_missing') open.value = keyOf(first);
  }

  function start(): () => void {
    const stops = [page.start(), settings.start()];
    return () => {
      for (const stop of stops) stop();
    };
  }

  return {
    ...page,
    ...{ offered, settings, rows, isAdding, forgotten, forget, start },
    connecting: deps.connecting,
    data: createDataStore(deps.files, async (importing) => {
      // The page may see the new connections before the import ends.
      const wasEmpty = page.queues.value.length === 0;
      await importing;
      await showImported(wasEmpty);
    }),
    toggle: (key: string): void => {
      open.value = open.value === key ? null : key;
    },
    add: (): void => {
      open.value = newKey.value;
    },
    /** Called when a new connection has been stored. Its row takes the place of the form for a new connection. */
    saved: (connectionId: string): void => {
      batch(() => {
        created.value = { ...created.value, [connectionId]: newKey.value };
        unread.value = connectionId;
      });
    },
    setDefault: (connectionId: string): void => void page.change({ type: 'set-default-connection', connectionId }),
    openQueue: (): void => void deps.openTab(pageAddress('queue')),
    /** Shows an error over the page. */
    tell: (text: string): void => {
      page.flash.value = { text };
    },
  };
}
