import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../backend/src/main.ts', import.meta.url));

/** Local addresses of the API and the short URLs, and their public base URLs. */
interface Listening {
  api: string;
  short: string;
  baseUrl: string;
  shortBaseUrl: string;
}

export interface BackendProcess extends Listening {
  process: ChildProcess;
  ended: Promise<number | null>;
}

/**
 * Starts the backend and returns once it accepts connections.
 *
 * @param environment TERSE_* variables of the backend. It does not inherit any TERSE_* variables of this process.
 * @param onLog called with every JSON log line after the start
 * @throws with the backend's own error message if it exits before it accepts connections
 */
export async function startBackendProcess(
  environment: Record<string, string>,
  onLog: (line: string) => void = () => {},
): Promise<BackendProcess> {
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    // Runs in a separate process group, so that Ctrl-C reaches only this parent process, which then stops the backend
    // cleanly.
    detached: true,
    env: backendEnvironment(environment),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const startOutput: string[] = [];
  const listening = await new Promise<Listening>((resolve, reject) => {
    let isListening = false;
    createInterface(child.stderr).on('line', (line) => {
      if (isListening) return onLog(line);
      startOutput.push(line);
      isListening = line.includes('"message":"listening"');
      if (isListening) resolve(JSON.parse(line));
    });
    child.on('close', (code) => reject(new Error(startOutput.join('\n') || `The backend exited with code ${code}.`)));
  });
  return { ...listening, process: child, ended };
}

/** Runs one command of the backend, such as `keys create --name mine`, and returns its output. */
export function runBackendCommand(environment: Record<string, string>, ...command: string[]): string {
  const env = backendEnvironment(environment);
  // Hides stderr unless the command fails, because every command prints the database's path to stderr.
  return execFileSync(process.execPath, [MAIN, ...command], { env, encoding: 'utf8', stdio: 'pipe' }).trim();
}

function backendEnvironment(environment: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TERSE_'));
  return { ...Object.fromEntries(inherited), ...environment };
}
