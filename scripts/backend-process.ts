import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Path of the backend's command line. */
export const MAIN = fileURLToPath(new URL('../backend/src/main.ts', import.meta.url));

export interface ServeProcess {
  child: ChildProcess;
  /** Local addresses of the API, the short URLs and the metrics, and the public base URLs. */
  addresses: { api: string; short: string; metrics: string | null; baseUrl: string; shortBaseUrl: string };
  stderr(): string;
  /** Ends the process with a signal. Resolves to the exit code, or null if the signal killed the process. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Resolves after all output was read: to the exit code, or to the signal that killed the process. */
  ended: Promise<[number | null, NodeJS.Signals | null]>;
}

interface Options {
  /** Working folder of the process. */
  folder?: string;
  /** Command that runs the command line after it, in the same process. */
  launcher?: readonly string[];
  /** True if Ctrl-C reaches only this process, which then stops the backend. */
  detached?: boolean;
  /** Called with every JSON log line after the start. */
  onLog?(line: string): void;
}

/**
 * Starts the backend and returns once it accepts connections.
 *
 * @param environment TERSE_* variables of the backend. It does not inherit any TERSE_* variables of this process.
 * @throws with the backend's own error message if it exits before it accepts connections
 */
export async function startBackendProcess(
  environment: Record<string, string>,
  { folder, launcher = [], detached = false, onLog = () => {} }: Options = {},
): Promise<ServeProcess> {
  const [file = '', ...line] = [...launcher, process.execPath, MAIN, 'serve'];
  const env = backendEnvironment(environment);
  const child = spawn(file, line, { cwd: folder, detached, env, stdio: ['ignore', 'ignore', 'pipe'] });
  // The `close` event occurs after all output was read.
  const ended = once(child, 'close') as ServeProcess['ended'];
  const lines: string[] = [];
  const listening = Promise.withResolvers<ServeProcess['addresses']>();
  let isListening = false;
  createInterface(child.stderr).on('line', (line) => {
    lines.push(line);
    if (isListening) return onLog(line);
    isListening = line.includes('"message":"listening"');
    if (isListening) listening.resolve(JSON.parse(line));
  });
  ended.then(([code]) => listening.reject(new Error(lines.join('\n') || `The backend exited with code ${code}.`)));
  return {
    child,
    addresses: await listening.promise,
    stderr: () => lines.join('\n'),
    async end(signal) {
      child.kill(signal);
      const [code] = await ended;
      return code;
    },
    ended,
  };
}

/** Runs one command of the backend, such as `keys create --name mine`, and returns its output. */
export function runBackendCommand(environment: Record<string, string>, ...command: string[]): string {
  const env = backendEnvironment(environment);
  // Hides stderr unless the command fails, because every command prints the database's path to stderr.
  return execFileSync(process.execPath, [MAIN, ...command], { env, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** Returns the environment of this process, with other TERSE_* variables. */
export function backendEnvironment(environment: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TERSE_'));
  return { ...Object.fromEntries(inherited), ...environment };
}
