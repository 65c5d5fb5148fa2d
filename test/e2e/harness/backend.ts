import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { formatConnectionLink } from '@terse/contract';
import { type BackendProcess, runBackendCommand, startBackendProcess } from '../../../scripts/backend-process.ts';
import { tempFolder } from './temp.ts';

export interface Backend {
  baseUrl: string;
  shortBaseUrl: string;
  /** API key created by the command line. */
  apiKey: string;
  connectionLink: string;
  /** Creates another key. */
  createKey(name: string): string;
  /** Returns a link that sets up the first account, as the first start prints it. */
  setupLink(): string;
  /** Returns the long URL of every link in the database, in the order of creation. */
  links(): string[];
  /** Stops the process and waits for its end. */
  stop(): Promise<void>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again after `stop` or `kill`, with the same addresses and database. */
  start(): Promise<void>;
}

/** Starts the real backend as a separate process on free ports and an empty database file, and creates a key. */
export async function startBackend(environment: Record<string, string> = {}): Promise<Backend> {
  const file = join(tempFolder('backend'), 'terse.db');
  const settings = { TERSE_DATABASE: `file:${file}`, ...environment };
  const first = await startBackendProcess({
    TERSE_LISTEN: '127.0.0.1:0',
    TERSE_SHORT_LISTEN: '127.0.0.1:0',
    ...settings,
  });
  const addresses = { TERSE_LISTEN: new URL(first.api).host, TERSE_SHORT_LISTEN: new URL(first.short).host };
  let running: BackendProcess = first;

  const createKey = (name: string) => runBackendCommand(settings, 'keys', 'create', '--name', name);
  const end = async (signal: NodeJS.Signals) => {
    running.process.kill(signal);
    await running.ended;
  };
  const apiKey = createKey('end-to-end');
  const { baseUrl, shortBaseUrl } = first;
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
