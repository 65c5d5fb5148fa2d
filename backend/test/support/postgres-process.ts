import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchdog } from './watchdog.ts';

/** A running PostgreSQL server. It ends when the test process ends. */
export interface PostgresProcess {
  /** Simulates a crash: all connections break and uncommitted data is lost. */
  crash(): Promise<void>;
  /** Kills all processes of the server at once, as if the machine failed. */
  kill(): Promise<void>;
  /** Suspends all processes of the server. A suspended server accepts connections and never responds. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/**
 * Starts `postgres` and waits until the server accepts connections. If the test process dies first, a watchdog
 * deletes the folder.
 */
export async function runPostgres(
  program: string,
  args: string[],
  folder: string,
  options: { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number },
): Promise<PostgresProcess> {
  const server = spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  const watch = watchdog(server, 'INT', folder);
  const exited = once(server, 'exit');
  const end = async (signal: () => void) => {
    watch.end();
    signal();
    await exited;
  };
  await ready(server);
  return {
    crash: () => end(() => server.kill('SIGQUIT')),
    async kill() {
      // The server is suspended first, so that it starts no new processes while the test kills the existing ones.
      signalAll(server, 'SIGSTOP');
      const children = childrenOf(server);
      await end(() => signalAll(server, 'SIGKILL'));
      while (alive(children)) await sleep(10);
    },
    freeze: () => signalAll(server, 'SIGSTOP'),
    thaw: () => signalAll(server, 'SIGCONT'),
    stop: () => end(() => server.kill('SIGINT')),
  };
}

async function ready(server: ChildProcess): Promise<void> {
  const lines: string[] = [];
  const exited = once(server, 'exit').then(() => {
    throw new Error(`PostgreSQL did not start:\n${lines.join('\n')}`);
  });
  const started = new Promise<void>((resolve) => {
    if (!server.stderr) return;
    createInterface(server.stderr).on('line', (line) => {
      lines.push(line);
      if (line.includes('is ready to accept')) resolve();
    });
  });
  exited.catch(() => {});
  await Promise.race([started, exited]);
}

function signalAll(server: ChildProcess, signal: NodeJS.Signals): void {
  const children = childrenOf(server);
  server.kill(signal);
  for (const child of children) signalOne(child, signal);
}

function childrenOf({ pid }: ChildProcess): number[] {
  return processes()
    .filter(({ parent }) => parent === pid)
    .map(({ child }) => child);
}

function alive(pids: number[]): boolean {
  return processes().some(({ child, state }) => pids.includes(child) && !state.startsWith('Z'));
}

function processes(): { child: number; parent: number; state: string }[] {
  return execFileSync('ps', ['-e', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => {
      const [child, parent, state = ''] = line.trim().split(/\s+/);
      return { child: Number(child), parent: Number(parent), state };
    });
}

/** The process may have ended since the list was read. */
function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
