import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, realpathSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { backendEnvironment, MAIN, type ServeProcess } from '../../../../scripts/backend-process.ts';
import { startServe } from '../process.ts';
import { createRecordedDisk, LOSSES, type Loss, type Remains } from './recorded-disk.ts';
import { portsOf, readCalls, type SystemCall, TRACED_ENVIRONMENT, textsIn, tracer } from './system-calls.ts';

const LIMITS = { TERSE_THROTTLE: '100000', TERSE_DAILY_QUOTA: '1000000' };
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';
const CLIENTS = 3;
/** Number of links that each client creates, edits, visits and partly deletes. */
const LINKS = 3;

export const PATHS = {
  database: 'data/terse.db',
  backup: 'backup.db',
  restored: 'restored/terse.db',
  moved: 'moved/terse.db',
} as const;

/** A response. Its position among the system calls is infinite if the service never sent it. */
interface Answer {
  at: number;
}

/** A link, with the responses of the service about it. */
export interface PromisedLink {
  code: string;
  /** URL of the link after each request that created, edited or deleted it, in order. Null means deleted. */
  versions: { url: string | null; answer: Answer }[];
  clicks: Answer[];
}

/** Positions of a command's start and of the first power cut after the command has succeeded. */
export interface CommandSpan {
  start: number;
  end: number;
}

/** Files that a power cut at a position leaves. */
export interface PowerCut {
  at: number;
  loss: Loss;
  remains: Remains;
}

/** Recording of several processes that use one database, one after the other. */
export interface Session {
  /** Power cuts directly before each flush after a response or during a command, and after the last command. */
  cuts: PowerCut[];
  links: PromisedLink[];
  key: string;
  created: CommandSpan;
  /** Position at which the service had been stopped and had counted all clicks. */
  stopped: number;
  backup: CommandSpan;
  restore: CommandSpan;
  move: CommandSpan;
}

/**
 * Starts a service on an empty folder, kills it under load, backs up, restores and moves its database, and records
 * which data these processes flush to the disk.
 *
 * @param folder existing folder for the databases and the recordings
 */
export async function recordSession(folder: string): Promise<Session> {
  const root = join(realpathSync(folder), 'disk');
  mkdirSync(root);
  const disk = createRecordedDisk(root);
  const cuts: PowerCut[] = [];
  const links: PromisedLink[] = [];
  let position = 0;
  let processes = 0;
  const cutsAt = (at: number) => LOSSES.map((loss): PowerCut => ({ at, loss, remains: disk.remains(loss) }));

  async function trace(use: (launcher: string[]) => Promise<number>, isCommand: boolean): Promise<SystemCall[]> {
    processes += 1;
    const log = join(folder, `calls-${processes}`);
    const pid = await use(tracer(log));
    const calls = await readCalls(log, pid, position);
    let previous = position;
    disk.add(calls, (at) => {
      // Between two flushes, the files that a power cut leaves do not change. The number of responses is highest
      // directly before the next flush.
      const isImportant = isCommand || calls.some((call) => previous <= call.at && call.at < at && isResponse(call));
      if (isImportant) cuts.push(...cutsAt(at));
      previous = at;
    });
    position = Math.max(...calls.map(({ end }) => end)) + 1;
    cuts.push(...cutsAt(position));
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
    }, true);
    return { start, end: position, output };
  }

  /** Starts the service, lets clients use it, and ends it. A killed service still has requests to answer. */
  async function serve(signal: 'SIGTERM' | 'SIGKILL', key: string | null = null, name = ''): Promise<void> {
    let clients: Client[] = [];
    const calls = await trace(async (launcher) => {
      const service = await startServe(root, { ...LIMITS, ...TRACED_ENVIRONMENT }, launcher);
      if (key !== null) {
        clients = Array.from({ length: CLIENTS }, (_, number) => createClient(service, key, `${name}${number}`));
        await Promise.all(clients.map(({ work }) => work()));
        if (signal === 'SIGKILL') {
          const interrupted = clients.map(({ work }) => work().catch(() => {}));
          await clients[0]?.nextAnswer();
          service.child.kill(signal);
          await Promise.all(interrupted);
        }
      }
      const code = await service.end(signal);
      if (code !== (signal === 'SIGTERM' ? 0 : null)) throw new Error(`serve ended with ${code}: ${service.stderr()}`);
      return service.child.pid as number;
    }, false);
    for (const client of clients) {
      client.locateAnswers(calls);
      client.close();
      links.push(...client.links);
    }
  }

  await serve('SIGKILL');
  const { output: key, ...created } = await run(['keys', 'create', '--name', 'test']);
  await serve('SIGKILL', key, 'a');
  const backup = await run(['backup', PATHS.backup]);
  await serve('SIGTERM', key, 'b');
  const stopped = position;
  const restore = await run(['restore', PATHS.backup], PATHS.restored);
  const move = await run(['move', `file:${PATHS.database}`, `file:${PATHS.moved}`]);
  return { cuts, links, key, created, stopped, backup, restore, move };
}

function isResponse(call: SystemCall): boolean {
  return portsOf(call) !== null && /^writev?$/.test(call.name);
}

/** Client that sends one request at a time, and remembers each response. */
interface Client {
  links: PromisedLink[];
  /** Creates, edits, visits and deletes links. Fails if the service is killed. */
  work(): Promise<void>;
  nextAnswer(): Promise<void>;
  /** Finds the position at which the service sent each response. */
  locateAnswers(calls: SystemCall[]): void;
  close(): void;
}

function createClient({ addresses }: ServeProcess, key: string, name: string): Client {
  const agents = { api: new Agent({ keepAlive: true }), short: new Agent({ keepAlive: true }) };
  const links: PromisedLink[] = [];
  /** Responses by the two ports of the connection, in order. */
  const received = new Map<string, Answer[]>();
  let answered = Promise.withResolvers<void>();

  async function send(host: 'api' | 'short', method: string, path: string, answer: Answer, body?: object) {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const headers = { 'User-Agent': FIREFOX, Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const sent = request(addresses[host] + path, { method, agent: agents[host], headers }, resolve);
    sent.on('error', reject).end(body && JSON.stringify(body));
    const response = await promise;
    const { localPort, remotePort } = response.socket;
    const ports = `${remotePort}->127.0.0.1:${localPort}`;
    received.set(ports, [...(received.get(ports) ?? []), answer]);
    const content = await text(response);
    answered.resolve();
    answered = Promise.withResolvers();
    if ((response.statusCode ?? 500) >= 400) throw new Error(`${method} ${path}: ${response.statusCode} ${content}`);
  }

  async function create(count: number): Promise<PromisedLink[]> {
    const answer = { at: Number.POSITIVE_INFINITY };
    const made = Array.from({ length: count }, (_, at): PromisedLink => {
      const code = `${name}-${links.length + at}`;
      return { code, versions: [{ url: `https://example.com/${code}`, answer }], clicks: [] };
    });
    links.push(...made);
    const urls = made.map(({ code, versions: [first] }) => ({ url: first?.url, shortCode: code }));
    if (count === 1) await send('api', 'POST', '/api/v1/urls', answer, urls[0]);
    else await send('api', 'POST', '/api/v1/urls/batch', answer, { urls });
    return made;
  }

  async function change(link: PromisedLink, url: string | null): Promise<void> {
    const answer = { at: Number.POSITIVE_INFINITY };
    link.versions.push({ url, answer });
    const method = url === null ? 'DELETE' : 'PATCH';
    await send('api', method, `/api/v1/urls/${link.code}`, answer, url === null ? undefined : { url });
  }

  async function visit(link: PromisedLink): Promise<void> {
    const answer = { at: Number.POSITIVE_INFINITY };
    link.clicks.push(answer);
    await send('short', 'GET', `/${link.code}`, answer);
  }

  return {
    links,
    async work() {
      for (let round = 0; round < LINKS; round += 1) {
        const [first, second] = await create(1 + (round % 2));
        if (!first) continue;
        for (let visits = 0; visits < 2; visits += 1) await visit(first);
        await change(first, `https://example.com/${first.code}/edited`);
        if (second) await change(second, null);
      }
    },
    nextAnswer: () => answered.promise,
    locateAnswers(calls) {
      for (const call of calls.filter(isResponse)) {
        const answers = received.get(portsOf(call) ?? '');
        if (!answers || !textsIn(call)[0]?.toString('latin1').startsWith('HTTP/1.1 ')) continue;
        const answer = answers.shift();
        if (answer) answer.at = call.at;
      }
      const missing = [...received.values()].flat().length;
      if (missing > 0) throw new Error(`${missing} responses were received, but not found among the system calls.`);
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}
