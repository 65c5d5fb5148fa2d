import { signal } from '@preact/signals';
import browser from '../../browser/browser.ts';
import { saveFile } from '../../browser/clipboard-and-download.ts';
import { removeOptionalPermissions } from '../../browser/host-permissions.ts';
import { type Answer, answerTo, type Failure } from '../../components/connection-form/save-connection.ts';
import { readQueues } from '../../components/stored-data.ts';
import type { FileProblem } from '../../import-export/import-file.ts';
import type { Added } from '../../messages/protocol.ts';
import { readLinks } from '../../storage/load-page-data.ts';
import { readSettings, writeSettings } from '../../storage/settings.ts';

/** Result of the last export, import or deletion, or `importing` during an import. */
export type DataState =
  | { kind: 'idle' | 'importing' | 'deleted' }
  | { kind: 'imported'; added: Added; skipped: number }
  | { kind: 'problem'; problem: FileProblem }
  | { kind: 'failed'; code: Failure };

/** Creates the store for exports, imports and the deletion of all data. */
export function createDataStore(files: DataFiles) {
  const state = signal<DataState>({ kind: 'idle' });

  /** Shows the state that an action leads to, or an error if the action fails. */
  async function show(action: Promise<DataState>): Promise<void> {
    state.value = await action.catch((): DataState => ({ kind: 'failed', code: 'internal' }));
  }

  async function importFile(file: File): Promise<void> {
    if (state.value.kind === 'importing') return;
    state.value = { kind: 'importing' };
    await show(files.importFile(file));
  }

  async function deleteEverything(): Promise<DataState> {
    const answer = await files.deleteEverything();
    return answer.ok ? { kind: 'deleted' } : { kind: 'failed', code: answer.code };
  }

  return {
    ...{ state, importFile },
    /** Runs an export. A successful export shows no message, because the user receives the file. */
    exportData: () => show(files.exportData().then((): DataState => ({ kind: 'idle' }))),
    deleteEverything: () => show(deleteEverything()),
  };
}

/** Actions on stored data. The code that reads and writes files is loaded on demand. */
export const DATA_FILES = {
  exportData: async () => {
    const { exportData } = await import('../../import-export/export-file.ts');
    const [{ queues }, links, settings] = await Promise.all([readQueues(), readLinks(), readSettings()]);
    const now = Date.now();
    const connections = queues.map(({ connection }) => connection);
    const json = exportData({ connections, links, settings }, now);
    saveFile(new Blob([json], { type: 'application/json' }), `terse-${new Date(now).toISOString().slice(0, 10)}.json`);
  },
  /**
   * Adds all new entries of a file, or none if an error occurs. The settings in the file apply only before the first
   * connection, so that a file cannot change what an existing installation sends.
   */
  importFile: async (file: File): Promise<DataState> => {
    const { readFile } = await import('../../import-export/import-file.ts');
    const read = await readFile(file, Date.now());
    if ('problem' in read) return { kind: 'problem', problem: read.problem };
    const { connections, links, settings, skipped } = read.contents;
    const { queues } = await readQueues();
    const answer = await answerTo<Added>({ type: 'import', connections, links });
    if (!answer.ok) return { kind: 'failed', code: answer.code };
    if (settings && queues.length === 0) {
      const allowed = await browser.permissions.contains({ permissions: ['notifications'] });
      await writeSettings({ ...settings, notifications: settings.notifications && allowed });
    }
    return { kind: 'imported', added: answer.value, skipped };
  },
  deleteEverything: async (): Promise<Answer<null>> => {
    const answer = await answerTo({ type: 'delete-everything' });
    if (!answer.ok) return answer;
    localStorage.clear();
    await removeOptionalPermissions();
    return answer;
  },
};

export type DataFiles = typeof DATA_FILES;
