import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../backend/src/main.ts', import.meta.url));

/** Where the API and the short URLs answer, and what the public calls the two. */
interface Listening {
  api: string;
  short: string;
  baseUrl: string;
  shortBaseUrl: string;
}

export interface BackendProcess extends Listening {
  process: ChildProcess;
  /** Settles with the exit code when the process has ended. */
  ended: Promise<number | null>;
}

/**
 * Starts the backend and returns when it listens.
 *
 * @param environment TERSE_* variables; nothing of this process's own configuration reaches the backend but these
 * @param onLog called with every line it logs once it listens, each a JSON object
 * @throws with the backend's own words where it ends before it listens
 */
export async function startBackendProcess(
  environment: Record<string, string>,
  onLog: (line: string) => void = () => {},
): Promise<BackendProcess> {
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    // A group of its own: Ctrl-C at a terminal reaches the one who started it, who then stops it in order.
    detached: true,
    env: backendEnvironment(environment),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const lastWords: string[] = [];
  const listening = await new Promise<Listening>((resolve, reject) => {
    let isListening = false;
    createInterface(child.stderr).on('line', (line) => {
      if (isListening) return onLog(line);
      lastWords.push(line);
      isListening = line.includes('"message":"listening"');
      if (isListening) resolve(JSON.parse(line));
    });
    child.on('close', (code) => reject(new Error(lastWords.join('\n') || `The backend ended with code ${code}.`)));
  });
  return { ...listening, process: child, ended };
}

/** Runs one command of the backend, e.g. `keys create --name mine`, and returns what it printed. */
export function runBackendCommand(environment: Record<string, string>, ...command: string[]): string {
  const env = backendEnvironment(environment);
  // Piped, so that stderr, which names the database, is shown only in the error of a command that fails.
  return execFileSync(process.execPath, [MAIN, ...command], { env, encoding: 'utf8', stdio: 'pipe' }).trim();
}

function backendEnvironment(environment: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TERSE_'));
  return { ...Object.fromEntries(inherited), ...environment };
}
