import browser from '../../browser/browser.ts';
import { saveFile } from '../../browser/clipboard-and-download.ts';
import { removeOptionalPermissions } from '../../browser/host-permissions.ts';
import { answerTo, failureSentence } from '../../components/connection-form/save-connection.ts';
import { readQueues } from '../../components/stored-data.ts';
import { formatNumber, t } from '../../format/i18n.ts';
import type { Added } from '../../messages/protocol.ts';
import { readLinks } from '../../storage/load-page-data.ts';
import { readSettings, writeSettings } from '../../storage/settings.ts';

/** Result of an import or deletion, with a message for the user. */
export interface DataResult {
  isDone: boolean;
  text: string;
}

/** Actions on stored data. The code that reads and writes files is loaded on demand. */
export const DATA_FILES = {
  /** Saves a file. The action has no result to show, because the user receives the file. */
  exportData: async (): Promise<null> => {
    const { exportData } = await import('../../import-export/export-file.ts');
    const [{ queues }, links, settings] = await Promise.all([readQueues(), readLinks(), readSettings()]);
    const now = Date.now();
    const connections = queues.map(({ connection }) => connection);
    const json = exportData({ connections, links, settings }, now);
    saveFile(new Blob([json], { type: 'application/json' }), `terse-${new Date(now).toISOString().slice(0, 10)}.json`);
    return null;
  },
  /**
   * Adds all new entries of a file, or none if an error occurs. The settings in the file apply only before the first
   * connection, so that a file cannot change what an existing installation sends.
   */
  importFile: async (file: File): Promise<DataResult> => {
    const { readFile } = await import('../../import-export/import-file.ts');
    const read = await readFile(file, Date.now());
    if ('problem' in read) return { isDone: false, text: t(`importProblem_${read.problem}`) };
    const { connections, links, settings, skipped } = read.contents;
    const { queues } = await readQueues();
    const answer = await answerTo<Added>({ type: 'import', connections, links });
    if (!answer.ok) return { isDone: false, text: failureSentence(answer.code) };
    if (settings && queues.length === 0) {
      const allowed = await browser.permissions.contains({ permissions: ['notifications'] });
      await writeSettings({ ...settings, notifications: settings.notifications && allowed });
    }
    const added = [answer.value.links, answer.value.connections, skipped];
    return { isDone: true, text: t('imported', ...added.map((count) => formatNumber(count))) };
  },
  deleteEverything: async (): Promise<DataResult> => {
    const answer = await answerTo({ type: 'delete-everything' });
    if (!answer.ok) return { isDone: false, text: failureSentence(answer.code) };
    localStorage.clear();
    await removeOptionalPermissions();
    return { isDone: true, text: t('deletedEverything') };
  },
};

export type DataFiles = typeof DATA_FILES;
