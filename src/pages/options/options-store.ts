import { computed, signal } from '@preact/signals';
import type { Connection as ConnectionLink } from '@terse/contract/connection-link';
import { createConnectionForms, NEW } from '../../components/connection-form/connection-forms-store.ts';
import { failureSentence, forgetConnection, saveConnection } from '../../components/connection-form/save-connection.ts';
import { createPageStore, PAGE_DEPS, type PageDeps, together } from '../../components/page-store.ts';
import type { SettingsStore } from '../../components/settings-store.ts';
import { t } from '../../format/i18n.ts';
import type { VisibleQueues } from '../../queue/types.ts';
import { DATA_FILES, type DataFiles, type DataResult } from './data-files.ts';

/** Functions of the browser, the background worker and the database that the options page uses. */
export interface OptionsDeps extends PageDeps {
  saveConnection: typeof saveConnection;
  forgetConnection: typeof forgetConnection;
  files: DataFiles;
}

export const OPTIONS_DEPS: OptionsDeps = { ...PAGE_DEPS, saveConnection, forgetConnection, files: DATA_FILES };

export interface OptionsStart {
  /** The queue of the default connection comes first. */
  view: VisibleQueues;
  /** Connection described by the connection link that opened this page, or null. */
  offered: ConnectionLink | null;
  settings: SettingsStore;
}

export type OptionsStore = ReturnType<typeof createOptionsStore>;

/** Creates the store of the options page. At most one form of a connection is open at a time. */
export function createOptionsStore(deps: OptionsDeps, { view, offered, settings }: OptionsStart) {
  const page = createPageStore(deps, view);
  const blocked = view.queues.find(({ state }) => state.blocked !== null);
  /** Id of the form that is open. Initially, the user sees the form that needs an input. */
  const open = signal(offered || view.queues.length === 0 ? NEW : (blocked?.connection.id ?? null));
  /** True if the list shows the form for a new connection. If there is no connection, it is always open. */
  const isAdding = computed(() => page.queues.value.length === 0 || open.value === NEW);
  const forms = createConnectionForms({
    ...page,
    offered,
    save: deps.saveConnection,
    ended: (id, shownIn, failure) => {
      if (open.value === id) open.value = shownIn;
      else if (failure !== null) page.flash.value = { text: failureSentence(failure) };
    },
  });

  async function forget(connectionId: string): Promise<void> {
    const answer = await deps.forgetConnection(connectionId);
    page.flash.value = answer.ok ? null : { text: failureSentence(answer.code) };
    await page.refresh().catch(() => undefined);
    if (!answer.ok) return;
    open.value = page.queues.value.length === 0 ? NEW : null;
    page.announce(t('forgotten'));
  }

  /**
   * Imports a file. After an import into an empty list, opens the row of a connection that needs its API key. If the
   * form for a new connection stayed open, the user could enter the key there by mistake.
   */
  async function importFile(file: File): Promise<DataResult> {
    // The page may see the new connections before the import ends.
    const wasEmpty = page.queues.value.length === 0;
    const result = await deps.files.importFile(file);
    await page.refresh().catch(() => undefined);
    const [first] = page.queues.value;
    if (wasEmpty && first?.state.blocked === 'key_missing') open.value = first.connection.id;
    return result;
  }

  return {
    ...page,
    ...{ settings, forms, open, isAdding, forget, importFile },
    start: (): (() => void) => together(page.start(), settings.start()),
    files: deps.files,
    /** Opens a form, or closes it if it is open. */
    toggle: (id: string): void => {
      open.value = open.value === id ? null : id;
    },
    cancelNew: (): void => {
      forms.clearNew();
      open.value = null;
    },
    setDefault: (connectionId: string): void => void page.change({ type: 'set-default-connection', connectionId }),
  };
}
