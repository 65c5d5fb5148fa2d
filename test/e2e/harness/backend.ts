import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { formatConnectionLink } from '@terse/contract';
import { freePort } from '../../../backend/test/support/raw.ts';
import { runBackendCommand, type ServeProcess, startBackendProcess } from '../../../scripts/backend-process.ts';
import { tempFolder } from './folders.ts';

/** A service process that can end and start again with the same addresses and database. */
export interface RestartableBackend extends Pick<ServeProcess, 'addresses'> {
  stop(): Promise<void>;
  kill(): Promise<void>;
  /** Starts the process again after `stop` or `kill`. */
  start(): Promise<void>;
  /** Suspends the process for `milliseconds`, and then resumes it. */
  suspend(milliseconds: number): Promise<void>;
}

/**
 * Starts the backend as a separate process. Its ports stay free while it is stopped, because the system does not choose
 * them for other programs.
 */
export async function startRestartableBackend(environment: Record<string, string>): Promise<RestartableBackend> {
  const ports = {
    TERSE_LISTEN: `127.0.0.1:${await freePort()}`,
    TERSE_SHORT_LISTEN: `127.0.0.1:${await freePort()}`,
  };
  const run = () => startBackendProcess({ ...ports, ...environment });
  let running = await run();
  return {
    addresses: running.addresses,
    stop: async () => void (await running.end('SIGTERM')),
    kill: async () => void (await running.end('SIGKILL')),
    async start() {
      running = await run();
    },
    async suspend(milliseconds) {
      running.child.kill('SIGSTOP');
      await pause(milliseconds);
      running.child.kill('SIGCONT');
    },
  };
}

export interface Backend extends RestartableBackend {
  baseUrl: string;
  shortBaseUrl: string;
  apiKey: string;
  connectionLink: string;
  createKey(name: string): string;
  /** Returns the link that creates the first account. The backend prints this link at its first start. */
  setupLink(): string;
  /** Returns the long URLs of all links in the database, in the order of their creation. */
  links(): string[];
}

/** Starts the real backend with an empty database, and creates an API key. */
export async function startBackend(environment: Record<string, string> = {}): Promise<Backend> {
  const file = join(tempFolder('backend'), 'terse.db');
  const settings = { TERSE_DATABASE: `file:${file}`, ...environment };
  const backend = await startRestartableBackend(settings);
  const createKey = (name: string) => runBackendCommand(settings, 'keys', 'create', '--name', name);
  const apiKey = createKey('end-to-end');
  const { baseUrl, shortBaseUrl } = backend.addresses;
  return {
    ...backend,
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
