import { answerTo } from '../connecting/connecting-handlers.ts';
import type { Answer } from '../connecting/handlers.ts';
import { ask } from '../messages/ask.ts';
import { countLinks, readLinks, readQueues } from '../messages/read.ts';
import browser from '../platform/browser.ts';
import type { Added } from '../storage/add-imported.ts';
import { readSettings, type Settings, writeSettings } from '../storage/settings.ts';
import { linksToCsv } from '../ui/csv.ts';
import { save } from '../ui/save.ts';
import type { Contents } from './contents.ts';
import { giveBackPermissions } from './give-back-permissions.ts';
import type { DataHandlers } from './handlers.ts';

/** What can be done with what is kept, over the browser and the database. What reads and writes files is loaded on demand. */
export const dataHandlers: DataHandlers = {
  measure: async () => {
    const [links, estimate] = await Promise.all([countLinks(), navigator.storage?.estimate?.()]);
    return { links, bytes: estimate?.usage ?? null };
  },
  exportEverything: async () => {
    const { exportData } = await import('./export-data.ts');
    // Queues first: a request that ends meanwhile is in the file twice, as itself and as its link, rather than not at all.
    const queues = await readQueues(false);
    const [links, settings] = await Promise.all([readLinks(false), readSettings()]);
    const now = Date.now();
    const json = exportData({ queues, links, settings }, now);
    save(new Blob([json], { type: 'application/json' }), `terse-${new Date(now).toISOString().slice(0, 10)}.json`);
  },
  exportLinks: async () => {
    save(new Blob([linksToCsv(await readLinks(false))], { type: 'text/csv' }), 'terse-links.csv');
  },
  read: async (file) => {
    const [{ readFile }, { planImport }] = await Promise.all([import('./read-file.ts'), import('./plan-import.ts')]);
    const [read, queues, links] = await Promise.all([readFile(file, Date.now()), readQueues(false), readLinks(false)]);
    if ('problem' in read) return read;
    const requests = [...queues.queues.flatMap((queue) => queue.requests), ...queues.unassigned];
    const connections = queues.queues.map(({ connection }) => connection);
    return { name: file.name, ...read, plan: planImport(read.contents, { connections, requests, links }) };
  },
  add,
  deleteEverything: async () => {
    const answer = await answerTo({ type: 'delete-everything' });
    if (!answer.ok) return answer;
    localStorage.clear();
    await giveBackPermissions();
    return answer;
  },
};

async function add(contents: Contents, settings: Settings | null): Promise<Answer<Added>> {
  try {
    const [{ addImported }, { planImport }] = await Promise.all([
      import('../storage/add-imported.ts'),
      import('./plan-import.ts'),
    ]);
    const added = await addImported((here) => planImport(contents, here).imported);
    if (settings) {
      const allowed = await browser.permissions.contains({ permissions: ['notifications'] });
      await writeSettings({ ...settings, notifications: settings.notifications && allowed });
    }
    // For the badge. Unanswered, the next event sets it.
    await ask({ type: 'imported' }).catch(() => undefined);
    return { ok: true, value: added };
  } catch (error) {
    const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
    return { ok: false, code: isFull ? 'storage_full' : 'internal' };
  }
}
