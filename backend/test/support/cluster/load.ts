import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Link } from '@terse/contract';
import type { Cluster } from './cluster.ts';
import { type Front, type FrontAnswer, openFront } from './front.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';

/** Links that are followed all the time, so that every process has them at hand. */
const AT_HAND = 10;

/** How long who was refused waits before the same request goes again, and everybody between two requests, in milliseconds. */
const AGAIN_AFTER = 100;

/** How long a few links may take to be made, a failover included, in milliseconds. */
const PATIENCE = 60_000;

/** A link and what was seen of it. */
export interface Made {
  url: string;
  isAtHand: boolean;
  /** Visits that were answered with its URL. */
  clicks: number;
  /** Visits without any answer: each may have been counted or not. */
  unanswered: number;
}

/** What people do all the while, and what came of it. */
export interface Load {
  /** By short code: every link whose creation was answered. */
  made: Map<string, Made>;
  /** Requests for links that were answered, by their idempotency key, with the code they were answered with. */
  answered: Map<string, string>;
  /** Sentences about answers that nobody should get. */
  complaints: string[];
  /** When creates were answered, and links at hand led on, by `performance.now()`. */
  moments: { creates: number[]; redirectsAtHand: number[] };
  /** Resolves once so many more links are made. @throws where that takes a minute */
  makes(count: number): Promise<void>;
  /** Stops making links and following them; resolves when the last request is answered. */
  end(): Promise<void>;
}

/** @param pace milliseconds that each of a handful of people pauses between two requests */
export async function startLoad(cluster: Cluster, pace: number): Promise<Load> {
  const fronts = cluster.web.map(({ host }) => openFront(host, cluster.certificate));
  const front = (at: number) => fronts[at % fronts.length] as Front;
  const made = new Map<string, Made>();
  const answered = new Map<string, string>();
  const complaints: string[] = [];
  const moments: Load['moments'] = { creates: [], redirectsAtHand: [] };
  const codes: string[] = [];
  let isOver = false;

  /** Makes a link: the same request under the same key until it is answered, by whichever machine. */
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
        moments.creates.push(performance.now());
        answered.set(idempotencyKey, shortCode);
        made.set(shortCode, { url, isAtHand, clicks: 0, unanswered: 0 });
        codes.push(shortCode);
        return shortCode;
      }
      // 409: the first of two twins is not done yet.
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
      if (link.isAtHand) moments.redirectsAtHand.push(performance.now());
      if (answer.location !== link.url) complaints.push(`${code} leads to ${answer.location}`);
    } else if (answer.status !== 503 || link.isAtHand) {
      complaints.push(`The link ${code}${link.isAtHand ? ', at hand,' : ''}: ${describe(answer)}`);
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
  // HAProxy asks its processes in turn: each has to be asked twice for each link.
  const rounds = 2 * cluster.web.flatMap(({ processes }) => processes).length;
  for (const code of atHand) for (let at = 0; at < rounds; at += 1) await follow(at, code);

  const people = [
    ...keys.map((key, at) => repeat((times) => make(at + times, key))),
    ...[0, 1, 2].map((at) => repeat((times) => follow(at + times, atHand[times % AT_HAND] as string))),
    // What was made just now, and what was made at any time.
    repeat((times) => follow(times, codes.at(-1) as string)),
    repeat((times) => follow(times, codes[(times * 7) % codes.length] as string)),
  ];
  return {
    made,
    answered,
    complaints,
    moments,
    async makes(count) {
      const goal = codes.length + count;
      const until = performance.now() + PATIENCE;
      while (codes.length < goal) {
        if (performance.now() > until) throw new Error(`No ${count} links could be made within a minute.`);
        await sleep(20);
      }
    },
    async end() {
      isOver = true;
      await Promise.all(people);
      // Every one of them, once more.
      for (const [at, code] of codes.entries()) await follow(at, code);
      for (const each of fronts) each.close();
    },
  };
}

function describe({ status, body }: FrontAnswer): string {
  return `${status} ${body.slice(0, 200)}`;
}
