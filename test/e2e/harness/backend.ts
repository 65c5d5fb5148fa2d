import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { formatConnectionLink } from '@terse/contract';
import { freePort } from '../../../backend/test/support/raw.ts';
import { type BackendProcess, runBackendCommand, startBackendProcess } from '../../../scripts/backend-process.ts';
import { tempFolder } from './folders.ts';

export interface Backend {
  baseUrl: string;
  shortBaseUrl: string;
  apiKey: string;
  connectionLink: string;
  createKey(name: string): string;
  /** Returns the link that creates the first account. The backend prints this link at its first start. */
  setupLink(): string;
  /** Returns the long URLs of all links in the database, in the order of their creation. */
  links(): string[];
  stop(): Promise<void>;
  kill(): Promise<void>;
  /** Starts the backend again after `stop` or `kill`, with the same addresses and database. */
  start(): Promise<void>;
}

/**
 * Starts the real backend as a separate process with an empty database, and creates an API key. Its ports stay free
 * while it is stopped, because the system does not choose them for other programs.
 */
export async function startBackend(environment: Record<string, string> = {}): Promise<Backend> {
  const file = join(tempFolder('backend'), 'terse.db');
  const settings = { TERSE_DATABASE: `file:${file}`, ...environment };
  const addresses = {
    TERSE_LISTEN: `127.0.0.1:${await freePort()}`,
    TERSE_SHORT_LISTEN: `127.0.0.1:${await freePort()}`,
  };
  let running: BackendProcess = await startBackendProcess({ ...addresses, ...settings });

  const createKey = (name: string) => runBackendCommand(settings, 'keys', 'create', '--name', name);
  const end = async (signal: NodeJS.Signals) => {
    running.process.kill(signal);
    await running.ended;
  };
  const apiKey = createKey('end-to-end');
  const { baseUrl, shortBaseUrl } = running;
  return {
    baseUrl,
    shortBaseUrl,
    apiKey,
    connectionLink: formatConnectionLink({ baseUrl, apiKey }),
    createKey,
    setupLink: () => runBackendCommand({ ...settings, TERSE_BASE_URL: baseUrl }, 'accounts', 'setup'),
    links() {
      const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
      const rows = database.prepare('SELECT url FROM links ORDER BY id').all();
      database.close();
      return rows.map(({ url }) => String(url));
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    async start() {
      running = await startBackendProcess({ ...addresses, ...settings });
    },
  };
}

interface Service {
  baseUrl: string;
  apiKey: string;
}

/** Calls an endpoint below `/api/v1/` without the extension, as another browser would. */
export async function callApi({ baseUrl, apiKey }: Service, method: string, path: string, body?: object) {
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  const sent = body ? { body: JSON.stringify(body) } : {};
  const response = await fetch(`${baseUrl}/api/v1/${path}`, { method, headers, ...sent });
  return { status: response.status, json: await response.json().catch(() => null) };
}

/**
 * Returns the destination of a short URL, or null if the text is not a short URL. The caller retries, because the
 * clipboard may briefly contain an older text.
 */
export async function targetOf(text: string): Promise<string | null> {
  if (!text.startsWith('http')) return null;
  return (await fetch(text, { redirect: 'manual' })).headers.get('location');
}
