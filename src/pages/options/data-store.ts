import { signal } from '@preact/signals';
import browser from '../../browser/browser.ts';
import { saveFile } from '../../browser/clipboard-and-download.ts';
import { removeOptionalPermissions } from '../../browser/host-permissions.ts';
import { type Answer, answerTo, type Failure } from '../../components/connection-form/save-connection.ts';
import { readQueues } from '../../components/stored-data.ts';
import type { Contents, FileProblem } from '../../import-export/import-file.ts';
import type { Added, Imported } from '../../messages/protocol.ts';
import { countLinks, readLinks } from '../../storage/load-page-data.ts';
import { readSettings, type Settings, writeSettings } from '../../storage/settings.ts';

/** The part of a file that can be imported, and its preview. */
export interface Preview {
  name: string;
  contents: Contents;
  /** Entries that are not stored yet. */
  added: Imported;
}

/** State of the last export, import or deletion. */
export type DataState =
  | { kind: 'idle' }
  | { kind: 'reading' }
  | { kind: 'problem'; problem: FileProblem }
  | ({ kind: 'preview' } & Preview)
  | { kind: 'added'; added: Added }
  | { kind: 'deleted' }
  | { kind: 'failed'; code: Failure };

export type DataStore = ReturnType<typeof createDataStore>;

/**
 * Creates the store for exports, imports and the deletion of all data.
 *
 * @param during called when an import starts, with a promise that resolves when it has ended
 */
export function createDataStore(files: DataFiles, during: (importing: Promise<unknown>) => Promise<void>) {
  const state = signal<DataState>({ kind: 'idle' });
  /** Number of stored links. Null until the links are counted. */
  const linkCount = signal<number | null>(null);

  /** Shows the state that an action leads to, or an error if the action fails. */
  async function show(action: Promise<DataState>): Promise<void> {
    state.value = await action.catch((): DataState => ({ kind: 'failed', code: 'internal' }));
    await countLinks();
  }

  async function countLinks(): Promise<void> {
    linkCount.value = await files.countLinks().catch(() => null);
  }

  async function read(file: File): Promise<DataState> {
    const found = await files.read(file);
    return 'problem' in found ? { kind: 'problem', problem: found.problem } : { kind: 'preview', ...found };
  }

  async function add(contents: Contents, settings: Settings | null): Promise<DataState> {
    const adding = files.add(contents, settings);
    await during(adding);
    const answer = await adding;
    return answer.ok ? { kind: 'added', added: answer.value } : { kind: 'failed', code: answer.code };
  }

  async function deleteEverything(): Promise<DataState> {
    const answer = await files.deleteEverything();
    return answer.ok ? { kind: 'deleted' } : { kind: 'failed', code: answer.code };
  }

  return {
    state,
    linkCount,
    countLinks,
    /** Removes the message about the last action. */
    reset: (): void => {
      state.value = { kind: 'idle' };
    },
    /** Runs an export. A successful export shows no message, because the user receives the file. */
    exportData: () => show(files.exportData().then((): DataState => ({ kind: 'idle' }))),
    choose: (file: File): void => {
      if (state.value.kind === 'reading') return;
      state.value = { kind: 'reading' };
      void show(read(file));
    },
    add: (contents: Contents, settings: Settings | null) => show(add(contents, settings)),
    deleteEverything: () => show(deleteEverything()),
  };
}

/** Actions on stored data. The code that reads and writes files is loaded on demand. */
export const DATA_FILES = {
  countLinks,
  exportData: async () => {
    const { exportData } = await import('../../import-export/export-file.ts');
    const [{ queues }, links, settings] = await Promise.all([readQueues(), readLinks(), readSettings()]);
    const now = Date.now();
    const connections = queues.map(({ connection }) => connection);
    const json = exportData({ connections, links, settings }, now);
    saveFile(new Blob([json], { type: 'application/json' }), `terse-${new Date(now).toISOString().slice(0, 10)}.json`);
  },
  /** Reads a file without storing anything. */
  read: async (file: File): Promise<Preview | { problem: FileProblem }> => {
    const { readFile } = await import('../../import-export/import-file.ts');
    const read = await readFile(file, Date.now());
    if ('problem' in read) return read;
    const { newEntries } = await import('../../import-export/new-entries.ts');
    const [{ queues }, links] = await Promise.all([readQueues(), readLinks()]);
    const stored = { connections: queues.map(({ connection }) => connection), links };
    return { name: file.name, ...read, added: newEntries(read.contents, stored) };
  },
  /**
   * Adds all new entries, or none if an error occurs. Also applies the settings from the file, unless `settings` is
   * null.
   */
  add: async (contents: Contents, settings: Settings | null): Promise<Answer<Added>> => {
    const { connections, links } = contents;
    const answer = await answerTo<Added>({ type: 'import', connections, links });
    if (answer.ok && settings) {
      const allowed = await browser.permissions.contains({ permissions: ['notifications'] });
      await writeSettings({ ...settings, notifications: settings.notifications && allowed });
    }
    return answer;
  },
  deleteEverything: async () => {
    const answer = await answerTo({ type: 'delete-everything' });
    if (!answer.ok) return answer;
    localStorage.clear();
    await removeOptionalPermissions();
    return answer;
  },
};

export type DataFiles = typeof DATA_FILES;
