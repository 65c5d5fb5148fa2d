import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LinkList } from '@terse/contract';
import type { Random } from './power-cut.ts';
import { type Answer, NEVER, type PromisedLink } from './promises.ts';
import { portsOf, type SystemCall, textsIn } from './system-calls.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';

export interface Load {
  addresses: { api: string; short: string };
  key: string;
  /** Start of the client's short codes. */
  name: string;
  random: Random;
  /** Called after each response. */
  onAnswer(): void;
}

/** Client that sends one request at a time, and remembers each response. */
export interface Client {
  links: PromisedLink[];
  /** Creates, edits, deletes and visits links, until `requests` responses were received or the service is killed. */
  work(requests: number): Promise<void>;
  /** Reads the links until all their clicks are counted. */
  readClicks(): Promise<void>;
  /** Finds the position at which the service sent each response. */
  locateAnswers(calls: SystemCall[]): void;
  close(): void;
}

export function createClient({ addresses, key, name, random, onAnswer }: Load): Client {
  const agents = { api: new Agent({ keepAlive: true }), short: new Agent({ keepAlive: true }) };
  const links: PromisedLink[] = [];
  /** Responses by the two ports of the connection, in order. */
  const received = new Map<string, Answer[]>();

  /** Sends a request. Throttled requests are sent again, because they have no effect. */
  async function send(
    host: 'api' | 'short',
    method: string,
    path: string,
    { body, status, answer }: { body?: unknown; status: number; answer: Answer },
  ): Promise<string> {
    for (;;) {
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      const headers = { 'User-Agent': FIREFOX, Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
      const sent = request(addresses[host] + path, { method, agent: agents[host], headers }, resolve);
      sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
      const response = await promise;
      const { localPort, remotePort } = response.socket;
      const ports = `${remotePort}->127.0.0.1:${localPort}`;
      const isThrottled = response.statusCode === 429;
      received.set(ports, [...(received.get(ports) ?? []), isThrottled ? { ...NEVER } : answer]);
      const content = await text(response);
      onAnswer();
      if (response.statusCode === status) return content;
      if (!isThrottled) throw new Error(`${method} ${path} was answered with ${response.statusCode}: ${content}`);
      await sleep(100);
    }
  }

  async function create(count: number): Promise<void> {
    const answer = { ...NEVER };
    const urls = Array.from({ length: count }, (_, index) => {
      const shortCode = `${name}-${links.length + index}`;
      return { url: `https://example.com/${shortCode}`, shortCode };
    });
    for (const { url, shortCode } of urls)
      links.push({ code: shortCode, versions: [{ url, answer }], clicks: [], savedClicks: [] });
    if (count === 1) await send('api', 'POST', '/api/v1/urls', { body: urls[0], status: 201, answer });
    else await send('api', 'POST', '/api/v1/urls/batch', { body: { urls }, status: 207, answer });
  }

  async function edit(link: PromisedLink): Promise<void> {
    const answer = { ...NEVER };
    const url = `https://example.com/${link.code}/${link.versions.length}`;
    link.versions.push({ url, answer });
    await send('api', 'PATCH', `/api/v1/urls/${link.code}`, { body: { url }, status: 200, answer });
  }

  async function remove(link: PromisedLink): Promise<void> {
    const answer = { ...NEVER };
    link.versions.push({ url: null, answer });
    await send('api', 'DELETE', `/api/v1/urls/${link.code}`, { status: 204, answer });
  }

  async function visit(link: PromisedLink): Promise<void> {
    const answer = { ...NEVER };
    link.clicks.push(answer);
    await send('short', 'GET', `/${link.code}`, { status: 302, answer });
  }

  const shown = new Map<string, number>();

  /** Reads the click counts of all links. */
  async function read(): Promise<void> {
    const answer = { ...NEVER };
    const list = await send('api', 'GET', '/api/v1/urls?limit=100', { status: 200, answer });
    for (const { shortCode, clicks } of (JSON.parse(list) as LinkList).links) shown.set(shortCode, clicks);
  }

  const remaining = () => links.filter(({ versions }) => versions.at(-1)?.url !== null);

  async function doSomething(): Promise<void> {
    const existing = remaining();
    const link = existing[Math.floor(random() * existing.length)];
    const choice = random();
    if (!link || choice < 0.25) await create(choice < 0.2 ? 1 : 3);
    else if (choice < 0.4) await edit(link);
    else if (choice < 0.5) await remove(link);
    else if (choice < 0.6) await read();
    else await visit(link);
  }

  return {
    links,
    async work(requests) {
      try {
        for (let times = 0; times < requests; times += 1) await doSomething();
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        // The service was killed.
        if (!['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(code ?? '')) throw error;
      }
    },
    async readClicks() {
      const isCounted = ({ code, clicks }: PromisedLink) => shown.get(code) === clicks.length;
      for (await read(); !remaining().every(isCounted); await read()) await sleep(300);
    },
    locateAnswers(calls) {
      for (const call of calls) {
        if (call.name !== 'write' && call.name !== 'writev') continue;
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
