import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { backendEnvironment, MAIN, type ServeProcess, startBackendProcess } from '../../../scripts/backend-process.ts';
import { openStore } from '../../src/store/open-store.ts';

export type { ServeProcess };

const programPath = (name: string) => fileURLToPath(new URL(`../../src/${name}`, import.meta.url));

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
  const options = { cwd: folder, env: backendEnvironment(environment) };
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
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder,
    env: backendEnvironment(environment),
    stdio: 'ignore',
  });
  return { child, exited: once(child, 'exit') };
}

/** Starts `serve` in a folder, on ports that the system chooses, and waits until it accepts connections. */
export function startServe(
  folder: string,
  environment: Record<string, string> = {},
  launcher: readonly string[] = [],
): Promise<ServeProcess> {
  const ports = { TERSE_LISTEN: '127.0.0.1:0', TERSE_SHORT_LISTEN: '127.0.0.1:0' };
  return startBackendProcess({ ...ports, ...environment }, { folder, launcher });
}
