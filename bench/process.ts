import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { SERVER_CORE } from './machine.ts';

/** A server on a core of its own. */
export interface Server {
  memory(): Memory;
  /** Seconds of processor time it has used so far, all its threads together. */
  processorTime(): number;
  /** Resolves to the seconds of processor time that it used in all. */
  stop(): Promise<number>;
}

/** In megabytes. */
export interface Memory {
  /** All that is resident, the files it maps included, whose pages the system drops when it needs the room. */
  resident: number;
  /** Without the program's and the database's files. */
  own: number;
}

/** Below the range that outgoing connections take their ports from. */
export const PORTS = { bare: 18_701, api: 18_702, short: 18_703, otherApi: 18_704, otherShort: 18_705 } as const;

export const startBare = (): Promise<Server> => start(['bench/servers/bare.ts', String(PORTS.bare)], {});

/** The service as anybody starts it, on the SQLite file at `path`. */
export const startTerse = (path: string, api: number = PORTS.api, short: number = PORTS.short): Promise<Server> =>
  startTerseOn(`file:${path}`, api, short);

/** The same on any database, with clicks beside it or in `clicks`. */
export function startTerseOn(database: string, api: number, short: number, clicks?: string): Promise<Server> {
  return start([...backendCommand(), 'serve'], {
    TERSE_DATABASE: database,
    ...(clicks && { TERSE_JOURNAL_DIR: clicks }),
    TERSE_LISTEN: `127.0.0.1:${api}`,
    TERSE_SHORT_LISTEN: `127.0.0.1:${short}`,
  });
}

/** What `npm run backend` gives Node, flags included. */
function backendCommand(): string[] {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return scripts.backend.split(' ').slice(1);
}

/** Of the clock in /proc, a second. */
const TICKS = 100;

async function start(args: string[], environment: Record<string, string>): Promise<Server> {
  const child = spawn('taskset', ['-c', String(SERVER_CORE), process.execPath, ...args], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const lines = createInterface(child.stderr);
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  // Where this program fails, it leaves no server on a port that the next run needs.
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
  // Its log is read and thrown away: taken apart into lines, it would cost the load a part of its processor.
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
      const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024;
      return { resident: field('VmRSS'), own: field('RssAnon') };
    },
    processorTime,
    async stop() {
      child.kill('SIGTERM');
      let used = processorTime();
      // Read until it is gone: what it does at its end counts too.
      const reading = setInterval(() => {
        if (child.exitCode === null) used = processorTime();
      }, 20);
      await exited;
      clearInterval(reading);
      return used;
    },
  };
}
