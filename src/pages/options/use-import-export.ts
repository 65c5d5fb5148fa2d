import { useCallback, useState } from 'preact/hooks';
import browser from '../../browser/browser.ts';
import { saveFile } from '../../browser/clipboard-and-download.ts';
import { removeOptionalPermissions } from '../../browser/host-permissions.ts';
import { type Answer, answerTo, type Failure } from '../../components/connection-form/connecting-handlers.ts';
import { readQueues } from '../../components/hooks/use-stored-data.ts';
import { useNextAction } from '../../components/notice.tsx';
import type { Contents, FileProblem, ImportPreview } from '../../import-export/import-file.ts';
import type { Added } from '../../messages/protocol.ts';
import { countLinks, readLinks } from '../../storage/load-page-data.ts';
import { readSettings, type Settings, writeSettings } from '../../storage/settings.ts';

export type Preview = Exclude<Reading, { problem: FileProblem }>;

/** State of the last export, import or deletion. */
export type DataState =
  | { kind: 'idle' }
  | { kind: 'reading' }
  | { kind: 'problem'; problem: FileProblem }
  | ({ kind: 'preview' } & Preview)
  | { kind: 'added'; added: Added }
  | { kind: 'deleted' }
  | { kind: 'failed'; code: Failure };

const FAILED: DataState = { kind: 'failed', code: 'internal' };

/** Holds the progress of an import or a deletion, and the error of a failed export. */
export function useImportExport(handlers: ImportExportActions) {
  const [state, setState] = useState<DataState>({ kind: 'idle' });
  const fail = () => setState(FAILED);
  const takeBack = useCallback(() => setState({ kind: 'idle' }), []);
  useNextAction(state.kind === 'added' || state.kind === 'deleted', takeBack);

  return {
    state,
    /** Runs an export. A successful export shows no message, because the user receives the file. */
    run: (work: () => Promise<void>) => {
      work().then(() => setState({ kind: 'idle' }), fail);
    },
    choose: (file: File) => {
      if (state.kind === 'reading') return;
      setState({ kind: 'reading' });
      handlers.read(file).then((read) => {
        setState('problem' in read ? { kind: 'problem', problem: read.problem } : { kind: 'preview', ...read });
      }, fail);
    },
    add: (contents: Contents, settings: Settings | null) => {
      handlers.add(contents, settings).then((answer) => {
        setState(answer.ok ? { kind: 'added', added: answer.value } : { kind: 'failed', code: answer.code });
      }, fail);
    },
    deleteEverything: () => {
      handlers.deleteEverything().then((answer) => {
        setState(answer.ok ? { kind: 'deleted' } : { kind: 'failed', code: answer.code });
      }, fail);
    },
    /** Closes the preview. The result of an import stays visible. */
    close: () => setState((shown) => (shown.kind === 'preview' ? { kind: 'idle' } : shown)),
  };
}

/** Actions on stored data. The code that reads and writes files is loaded on demand. */
export const dataHandlers = {
  measure: async () => {
    const [links, estimate] = await Promise.all([countLinks(), navigator.storage?.estimate?.()]);
    return { links, bytes: estimate?.usage ?? null };
  },
  exportData: async () => {
    const { exportData } = await import('../../import-export/export-file.ts');
    const [{ queues }, links, settings] = await Promise.all([readQueues(), readLinks(), readSettings()]);
    const now = Date.now();
    const connections = queues.map(({ connection }) => connection);
    const json = exportData({ connections, links, settings }, now);
    saveFile(new Blob([json], { type: 'application/json' }), `terse-${new Date(now).toISOString().slice(0, 10)}.json`);
  },
  /** Reads a file without storing anything. */
  read: async (file: File) => {
    const { readFile, previewImport } = await import('../../import-export/import-file.ts');
    const [read, { queues }, links] = await Promise.all([readFile(file, Date.now()), readQueues(), readLinks()]);
    if ('problem' in read) return read;
    const connections = queues.map(({ connection }) => connection);
    return { name: file.name, ...read, plan: previewImport(read.contents, { connections, links }) };
  },
  /**
   * Adds all new entries, or none if an error occurs. Also applies the settings from the file, unless `settings` is
   * null.
   */
  add,
  deleteEverything: async () => {
    const answer = await answerTo({ type: 'delete-everything' });
    if (!answer.ok) return answer;
    localStorage.clear();
    await removeOptionalPermissions();
    return answer;
  },
};

async function add(contents: Contents, settings: Settings | null): Promise<Answer<Added>> {
  const { previewImport } = await import('../../import-export/import-file.ts');
  const [{ queues }, links] = await Promise.all([readQueues(), readLinks()]);
  const connections = queues.map(({ connection }) => connection);
  const answer = await answerTo<Added>({ type: 'import', ...previewImport(contents, { connections, links }).imported });
  if (answer.ok && settings) {
    const allowed = await browser.permissions.contains({ permissions: ['notifications'] });
    await writeSettings({ ...settings, notifications: settings.notifications && allowed });
  }
  return answer;
}

/** A file and its preview, or the reason why it cannot be imported. */
export type Reading = { problem: FileProblem } | { name: string; contents: Contents; plan: ImportPreview };

/** Amount of stored data. */
export interface Usage {
  links: number;
  /** Null if the browser does not report the size. */
  bytes: number | null;
}

export type ImportExportActions = typeof dataHandlers;
