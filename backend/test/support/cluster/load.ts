import { randomUUID } from 'node:crypto';
import { Agent, type RequestOptions, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Link, LinkList } from '@terse/contract';
import type { Cluster } from './cluster.ts';
import { PORTS } from './example.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';

/** Number of links that clients follow all the time, so that every process caches them. */
const AT_HAND = 10;

/** Delay before a client sends its next request or repeats a failed one, in milliseconds. */
const AGAIN_AFTER = 100;

/** Maximum time for creating a few links, including a failover, in milliseconds. */
const PATIENCE = 180_000;

export interface Made {
  url: string;
  isAtHand: boolean;
  clicks: number;
  /** Number of requests without a response. The service may or may not have counted these clicks. */
  unanswered: number;
}

export interface Load {
  /** Links whose creation the service confirmed, by short code. */
  made: Map<string, Made>;
  /** Short codes in the responses to create requests, by idempotency key. */
  answered: Map<string, string>;
  complaints: string[];
  /**
   * Waits until the clients have created `count` more links.
   *
   * @throws if that takes longer than three minutes
   */
  makes(count: number): Promise<void>;
  /** Lets each client finish its request, and follows each link once. */
  end(): Promise<void>;
  /** Lists the links of the service with their clicks. */
  list(): Promise<Link[]>;
}

/**
 * Starts the clients.
 *
 * @param pace delay between two requests of a client, in milliseconds
 */
export async function startLoad(cluster: Cluster, pace: number): Promise<Load> {
  const fronts = cluster.web.map(({ host }) => openFront(host, cluster.certificate));
  cluster.stopped.addEventListener('abort', () => {
    for (const each of fronts) each.close();
  });
  const front = (at: number) => fronts[at % fronts.length] as Front;
  const made = new Map<string, Made>();
  const answered = new Map<string, string>();
  const complaints: string[] = [];
  const codes: string[] = [];
  let isOver = false;

  /** Creates a link. Repeats the request with the same idempotency key on any machine until the service responds. */
  async function make(at: number, key: string, isAtHand = false): Promise<string> {
    const idempotencyKey = randomUUID();
    const url = `https://example.com/${idempotencyKey}`;
    const headers = {
      'Content-Type': 'application/json',
      'X-API-Key': key,
      'Idempotency-Key': idempotencyKey,
      'Content-Length': String(Buffer.byteLength(JSON.stringify({ url }))),
    };
    for (let times = 0; ; times += 1) {
      cluster.stopped.throwIfAborted();
      const order = { method: 'POST', headers, body: JSON.stringify({ url }) };
      const answer = await front(at + times)
        .ask('links.example.com', '/api/v1/urls', order)
        .catch(() => null);
      if (answer?.status === 201) {
        const { shortCode } = Link.parse(JSON.parse(answer.body));
        answered.set(idempotencyKey, shortCode);
        made.set(shortCode, { url, isAtHand, clicks: 0, unanswered: 0 });
        codes.push(shortCode);
        return shortCode;
      }
      // 409 means that an earlier request with the same key is still running.
      if (answer && answer.status !== 503 && answer.status !== 409) complaints.push(`A create: ${describe(answer)}`);
      await sleep(AGAIN_AFTER);
    }
  }

  async function follow(at: number, code: string): Promise<void> {
    cluster.stopped.throwIfAborted();
    const link = made.get(code) as Made;
    const answer = await front(at)
      .ask('sho.rt', `/${code}`, { headers: { 'User-Agent': BROWSER } })
      .catch(() => null);
    if (answer === null) link.unanswered += 1;
    else if (answer.status === 302) {
      link.clicks += 1;
      if (answer.location !== link.url) complaints.push(`${code} leads to ${answer.location}`);
    } else if (answer.status !== 503 || link.isAtHand) {
      complaints.push(`The link ${code}${link.isAtHand ? ', cached,' : ''}: ${describe(answer)}`);
    }
  }

  async function repeat(act: (times: number) => Promise<unknown>): Promise<void> {
    try {
      for (let times = 0; !isOver; times += 1) {
        await act(times);
        await sleep(pace);
      }
    } catch (error) {
      if (!cluster.stopped.aborted) throw error;
    }
  }

  const keys = await Promise.all([cluster.newKey(), cluster.newKey(), cluster.newKey()]);
  const [first = ''] = keys;
  const atHand: string[] = [];
  for (let at = 0; at < AT_HAND; at += 1) atHand.push(await make(at, first, true));
  // HAProxy distributes requests evenly, so each process gets two requests for each link.
  const rounds = 2 * cluster.web.flatMap(({ processes }) => processes).length;
  for (const code of atHand) for (let at = 0; at < rounds; at += 1) await follow(at, code);

  const people = [
    ...keys.map((key, at) => repeat((times) => make(at + times, key))),
    ...[0, 1, 2].map((at) => repeat((times) => follow(at + times, atHand[times % AT_HAND] as string))),
    repeat((times) => follow(times, codes.at(-1) as string)),
    repeat((times) => follow(times, codes[(times * 7) % codes.length] as string)),
  ];
  return {
    made,
    answered,
    complaints,
    async makes(count) {
      const goal = codes.length + count;
      const until = performance.now() + PATIENCE;
      while (codes.length < goal) {
        if (performance.now() > until)
          throw new Error(`The clients did not create ${count} links within three minutes.`);
        await sleep(20);
      }
    },
    async end() {
      isOver = true;
      await Promise.all(people);
      for (const [at, code] of codes.entries()) await follow(at, code);
    },
    async list() {
      const links: Link[] = [];
      let next: string | null = '';
      while (next !== null) {
        const path = `/api/v1/urls?limit=100${next && `&cursor=${encodeURIComponent(next)}`}`;
        const answer = await front(0).ask('links.example.com', path, { headers: { 'X-API-Key': first } });
        // 429 means that reads are limited to a few per second.
        if (answer.status === 429) await sleep(AGAIN_AFTER);
        else {
          const page = LinkList.parse(JSON.parse(answer.body));
          links.push(...page.links);
          next = page.nextCursor;
        }
      }
      return links;
    },
  };
}

function describe({ status, body }: FrontAnswer): string {
  return `${status} ${body.slice(0, 200)}`;
}

interface FrontAnswer {
  status: number;
  location: string | null;
  body: string;
}

/** The public hosts of the example, over HTTPS through one machine's HAProxy. */
interface Front {
  ask(
    site: 'links.example.com' | 'sho.rt',
    path: string,
    init?: { method?: string; headers?: Record<string, string>; body?: string },
  ): Promise<FrontAnswer>;
  close(): void;
}

/** Opens the public hosts. The `ask` function throws if there is no response. */
function openFront(host: string, certificate: string): Front {
  const agent = new Agent({ keepAlive: true });
  return {
    ask: (site, path, { body, headers, ...init } = {}) => {
      const options: RequestOptions = {
        agent,
        host,
        port: PORTS.https,
        path,
        ca: certificate,
        servername: site,
        headers: { ...headers, Host: site },
        ...init,
      };
      return new Promise((resolve, reject) => {
        const asked = request(options, (answer) => {
          const { statusCode: status = 0, headers } = answer;
          text(answer).then((body) => resolve({ status, location: headers.location ?? null, body }), reject);
        });
        asked.on('error', reject).end(body);
      });
    },
    close: () => agent.destroy(),
  };
}
