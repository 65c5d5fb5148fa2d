import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { backendEnvironment, MAIN, type ServeProcess } from '../../../../scripts/backend-process.ts';
import { startServe } from '../process.ts';
import { type Client, createClient } from './clients.ts';
import type { Random } from './power-cut.ts';
import { type Answer, type CommandSpan, countAnswered, type Promises } from './promises.ts';
import { createDiskRecorder, type RecordedDisk } from './recorded-disk.ts';
import { readCalls, type SystemCall, TRACED_ENVIRONMENT, tracer } from './system-calls.ts';

const LIMITS = { TERSE_THROTTLE: '100000', TERSE_DAILY_QUOTA: '1000000' };
const CLIENTS = 3;

export const PATHS = {
  database: 'data/terse.db',
  backup: 'backup.db',
  restored: 'restored/terse.db',
  moved: 'moved/terse.db',
} as const;

/** Recording of several processes that use one database, one after the other. */
export interface Session {
  disk: RecordedDisk;
  promises: Promises;
  /** Position at which the service had been stopped and had counted all clicks. */
  stopped: number;
  backup: CommandSpan;
  restore: CommandSpan;
  move: CommandSpan;
}

/**
 * Starts a service on an empty folder, kills it under load, backs up, restores and moves its database, and records
 * all writes of these processes.
 *
 * @param folder existing folder for the databases and the recordings
 * @param requests number of requests per client and start of the service
 */
export async function recordSession(folder: string, random: Random, requests: number): Promise<Session> {
  const root = join(realpathSync(folder), 'disk');
  mkdirSync(root);
  const recorder = createDiskRecorder(root);
  const promises: Promises = { links: [], keys: [] };
  let position = 0;
  let processes = 0;

  async function trace(use: (launcher: string[]) => Promise<number>): Promise<SystemCall[]> {
    processes += 1;
    const log = join(folder, `calls-${processes}`);
    const pid = await use(tracer(log));
    const calls = await readCalls(log, pid, position);
    recorder.add(calls);
    position = Math.max(...calls.map(({ end }) => end)) + 1;
    recorder.disk.cuts.push(position);
    return calls;
  }

  async function run(args: string[], database: string = PATHS.database): Promise<CommandSpan & { output: string }> {
    const start = position;
    let output = '';
    await trace(async ([program = '', ...options]) => {
      const environment = backendEnvironment({ ...TRACED_ENVIRONMENT, TERSE_DATABASE: `file:${database}` });
      const child = spawn(program, [...options, process.execPath, MAIN, ...args], { cwd: root, env: environment });
      const outputs = Promise.all([text(child.stdout), text(child.stderr)]);
      const [code] = await once(child, 'close');
      const [stdout, stderr] = await outputs;
      if (code !== 0) throw new Error(`${args.join(' ')} failed: ${stderr}`);
      output = stdout.trim();
      return child.pid as number;
    });
    return { start, end: position, output };
  }

  /** Starts the service, and ends it as soon as `use` resolves. */
  async function serve(
    signal: 'SIGTERM' | 'SIGKILL',
    use: (service: ServeProcess) => Promise<void>,
  ): Promise<SystemCall[]> {
    return trace(async (launcher) => {
      const service = await startServe(root, { ...LIMITS, ...TRACED_ENVIRONMENT }, launcher);
      await use(service);
      const code = await service.end(signal);
      if (code !== (signal === 'SIGTERM' ? 0 : null)) throw new Error(`serve ended with ${code}: ${service.stderr()}`);
      return service.child.pid as number;
    });
  }

  async function load(key: string, name: string, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    let clients: Client[] = [];
    const calls = await serve(signal, async ({ addresses, child }) => {
      let left = Number.POSITIVE_INFINITY;
      const onAnswer = () => {
        left -= 1;
        if (left === 0) child.kill(signal);
      };
      clients = Array.from({ length: CLIENTS }, (_, number) =>
        createClient({ addresses, key, name: `${name}${number}`, random, onAnswer }),
      );
      await Promise.all(clients.map((client) => client.work(requests)));
      if (signal === 'SIGTERM') return;
      await Promise.all(clients.map((client) => client.readClicks()));
      // Kills the service while the clients wait for responses.
      left = requests;
      await Promise.all(clients.map((client) => client.work(requests)));
    });
    for (const client of clients) {
      client.locateAnswers(calls);
      client.close();
      promises.links.push(...client.links);
    }
  }

  await serve('SIGKILL', async () => {});
  const { output: key, ...created } = await run(['keys', 'create', '--name', 'test']);
  await load(key, 'a', 'SIGKILL');
  const backup = await run(['backup', PATHS.backup]);
  await load(key, 'b', 'SIGTERM');
  saveAll(promises, position - 1);
  const stopped = position;
  const revoked = await run(['keys', 'revoke', '1']);
  promises.keys.push({ text: key, created, revoked });
  const restore = await run(['restore', PATHS.backup], PATHS.restored);
  const move = await run(['move', `file:${PATHS.database}`, `file:${PATHS.moved}`]);
  return { disk: recorder.disk, promises, stopped, backup, restore, move };
}

/** A service that was stopped has saved all clicks on the disk. */
function saveAll({ links }: Promises, at: number): void {
  const answer: Answer = { at };
  for (const { clicks, savedClicks } of links) savedClicks.push({ count: countAnswered(clicks, at), answer });
}
