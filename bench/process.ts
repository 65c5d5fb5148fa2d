import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { missingPrograms } from '../scripts/browsers/find.ts';

/** CPU core on which all threads of the servers run. The load generator runs on another core. */
const SERVER_CORE = 0;
export const LOAD_CORE = 1;

export function describeMachine(): string {
  const [{ model } = { model: 'unknown processor' }] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${model.trim()}, ${cpus().length} cores, ${gigabytes} GB, ${process.platform}, Node ${process.versions.node}`;
}

/**
 * Checks that the benchmark can run on this machine.
 *
 * @throws Error with instructions if a tool or a second CPU core is missing
 */
export function requireTools(): void {
  const missing = missingPrograms('wrk', 'taskset');
  if (missing.length > 0) {
    throw new Error(`The bench needs ${missing.join(' and ')}. On Debian and Ubuntu: apt-get install wrk util-linux`);
  }
  if (cpus().length < 2) throw new Error('The bench needs two cores: one for the server, one for the load.');
}

/** A server process on its own CPU core. */
export interface Server {
  /** Returns the resident memory in megabytes, including mapped files such as the program and the database. */
  memory(): number;
  /** Returns the CPU time in seconds that all threads of the server have used so far. */
  processorTime(): number;
  /** Stops the server and returns its total CPU time in seconds. */
  stop(): Promise<number>;
}

/**
 * Ports that the operating system does not assign to outgoing connections, because they are below the range for such
 * ports.
 */
export const PORTS = { bare: 18_701, api: 18_702, short: 18_703 } as const;

export const startBare = (): Promise<Server> => start(['bench/servers/bare.ts', String(PORTS.bare)], {});

/** @param database database URL, as in `TERSE_DATABASE` */
export const startTerse = (database: string): Promise<Server> =>
  start([...backendCommand(), 'serve'], {
    TERSE_DATABASE: database,
    TERSE_LISTEN: `127.0.0.1:${PORTS.api}`,
    TERSE_SHORT_LISTEN: `127.0.0.1:${PORTS.short}`,
  });

/** Returns the Node flags and arguments of `npm run backend`. */
function backendCommand(): string[] {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return scripts.backend.split(' ').slice(1);
}

/** Folder for compiled programs, as in `deploy/terse.service`. */
const COMPILE_CACHE = fileURLToPath(new URL('../node_modules/.cache/bench', import.meta.url));

/** Clock ticks per second in the /proc file system. */
const TICKS = 100;

async function start(args: string[], environment: Record<string, string>): Promise<Server> {
  const child = spawn('taskset', ['-c', String(SERVER_CORE), process.execPath, ...args], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const lines = createInterface(child.stderr);
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  // Kills the server if this program fails, because the next run needs the same port.
  process.on('exit', kill);
  exited.then(() => process.off('exit', kill));
  const output: string[] = [];
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      if (line.includes('"message":"listening"')) resolve();
      else if (output.length < 20) output.push(line);
    });
    exited.then(() => reject(new Error(`A server ended before it listened:\n${output.join('\n')}`)));
  });
  // Reads the rest of the log without parsing it, because parsing would take CPU time away from the load generator.
  lines.close();
  child.stderr.resume();
  function processorTime(): number {
    const [, fields = ''] = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ');
    const [user, system] = fields.split(' ').slice(11, 13).map(Number);
    return ((user ?? 0) + (system ?? 0)) / TICKS;
  }
  return {
    memory() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
    },
    processorTime,
    async stop() {
      child.kill('SIGTERM');
      let used = processorTime();
      // Reads the CPU time repeatedly until the process ends, because the work during shutdown counts too.
      const reading = setInterval(() => {
        if (child.exitCode === null) used = processorTime();
      }, 20);
      await exited;
      clearInterval(reading);
      return used;
    },
  };
}
