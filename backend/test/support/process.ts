import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openStore } from '../../src/store/open-store.ts';

const programPath = (name: string) => fileURLToPath(new URL(`../../src/${name}`, import.meta.url));
export const MAIN = programPath('main.ts');

export interface Outcome {
  code: number;
  stdout: string;
  /** Error output, without the line that names the database. */
  stderr: string;
  /** Database that the command printed. Absent if it printed none. */
  database?: string;
}

/**
 * Runs the command line in a folder until it ends.
 *
 * @param shell script that `sh` runs instead; `"$@"` is the command line
 */
export async function run(
  folder: string,
  args: string[],
  environment: Record<string, string> = {},
  program = 'main.ts',
  shell?: string,
): Promise<Outcome> {
  const options = { cwd: folder, env: clean(environment) };
  const line = [process.execPath, programPath(program), ...args];
  const [file = '', ...rest] = shell === undefined ? line : ['sh', '-c', shell, 'sh', ...line];
  const done = promisify(execFile)(file, rest, options);
  const outcome = ({ code = 0, stdout, stderr }: Partial<Outcome>) => {
    const [, database = null, rest = ''] = /^(?:Database: (.*)\n)?([\s\S]*)$/.exec(stderr ?? '') ?? [];
    return { code, stdout: stdout ?? '', stderr: rest, ...(database === null ? {} : { database }) };
  };
  return done.then(outcome, outcome);
}

/** Creates an empty database, like a service that starts for the first time. */
export async function makeDatabase(folder: string, path = 'data/terse.db'): Promise<void> {
  const store = await openStore({ engine: 'sqlite', path: join(folder, path) }, Date.now());
  await store.close();
}

/** Starts the command line in a folder. The caller must end the process. */
export function start(
  folder: string,
  args: string[],
  environment: Record<string, string> = {},
): { child: ChildProcess; exited: Promise<unknown> } {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd: folder, env: clean(environment), stdio: 'ignore' });
  return { child, exited: once(child, 'exit') };
}

export interface ServeProcess {
  child: ChildProcess;
  addresses: { api: string; short: string; metrics: string | null; baseUrl: string; shortBaseUrl: string };
  stderr(): string;
  /** Ends the process with a signal. Resolves to the exit code, or null if the signal killed the process. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Resolves after all output was read: to the exit code, or to the signal that killed the process. */
  ended: Promise<[number | null, NodeJS.Signals | null]>;
}

/**
 * Starts `serve` in a folder and waits until the process prints its addresses.
 *
 * @param launcher command that runs the command line after it, in the same process
 */
export async function startServe(
  folder: string,
  environment: Record<string, string> = {},
  launcher: readonly string[] = [],
): Promise<ServeProcess> {
  const ports = { TERSE_LISTEN: '127.0.0.1:0', TERSE_SHORT_LISTEN: '127.0.0.1:0' };
  const env = clean({ ...ports, ...environment });
  const [file = '', ...line] = [...launcher, process.execPath, MAIN, 'serve'];
  const child = spawn(file, line, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  // The `close` event occurs after all output was read.
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const lines: string[] = [];
  const listening = Promise.withResolvers<ServeProcess['addresses']>();
  createInterface(child.stderr).on('line', (line) => {
    lines.push(line);
    if (line.includes('"message":"listening"')) listening.resolve(JSON.parse(line));
  });
  ended.then(() => listening.reject(new Error(`serve ended before it listened:\n${lines.join('\n')}`)));
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

/** Removes Terse settings from the environment of the user who runs the tests. */
export function clean(environment: Record<string, string>): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TERSE_'));
  return { ...Object.fromEntries(inherited), ...environment };
}
