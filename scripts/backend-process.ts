import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../backend/src/main.ts', import.meta.url));

export interface BackendProcess {
  process: ChildProcess;
  /** Where the API and the short URLs answer, and what links are made of. */
  api: string;
  short: string;
  baseUrl: string;
  shortBaseUrl: string;
  /** Everything it logged, a line each. */
  log: string[];
  /** Settles with the exit code when the process has ended. */
  ended: Promise<number | null>;
}

/**
 * Starts the backend and returns when it listens.
 *
 * @param environment TERSE_* variables; nothing of this process's own configuration reaches the backend but these
 * @throws with the backend's own words where it ends before it listens
 */
export async function startBackendProcess(environment: Record<string, string>): Promise<BackendProcess> {
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    // A group of its own: Ctrl-C at a terminal reaches the one who started it, who then stops it in order.
    detached: true,
    env: backendEnvironment(environment),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const log: string[] = [];
  const listening = await new Promise<Omit<BackendProcess, 'process' | 'log' | 'ended'>>((resolve, reject) => {
    createInterface(child.stderr).on('line', (line) => {
      log.push(line);
      if (line.includes('"message":"listening"')) resolve(JSON.parse(line));
    });
    ended.then((code) => reject(new Error(log.join('\n') || `The backend ended at once, with code ${code}.`)));
  });
  const { api, short, baseUrl, shortBaseUrl } = listening;
  return { process: child, api, short, baseUrl, shortBaseUrl, log, ended };
}

/** Runs one command of the backend, e.g. `keys create --name mine`, and returns what it printed. */
export function runBackendCommand(environment: Record<string, string>, ...command: string[]): string {
  const env = backendEnvironment(environment);
  return execFileSync(process.execPath, [MAIN, ...command], { env, encoding: 'utf8' }).trim();
}

function backendEnvironment(environment: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TERSE_'));
  return { ...Object.fromEntries(inherited), ...environment };
}
