import * as http from 'node:http';
import * as https from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { BatchAnswer, Link, LinkList } from '@terse/contract';
import { type Chance, chanceFrom } from '../random-choices.ts';
import type { Call, CallEnd, History } from './history.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';

/** Number of clients that create links with each API key. */
const CREATORS_PER_KEY = 2;
/** Number of clients that click short URLs. */
const VISITORS = 3;

/** Time limit in milliseconds for each request at the end of a run. */
const LONG_TIMEOUT = 60_000;

/** Maximum delay before a client sends its next request, in milliseconds. */
const PACE = 40;

/** Maximum delay in milliseconds after a call without an answer. */
const AFTER_UNKNOWN = 800;

/** Addresses at which clients reach one process of the service. */
export interface Entrance {
  api: string;
  short: string;
  /** IP address and certificate of the proxy, if it serves https addresses that no name server knows. */
  proxy?: { hostname: string; ca: string };
}

/** Clients that create links and click short URLs until they are stopped. */
export interface Clients {
  /** Returns true if at least one request exceeded a daily quota and at least `ENOUGH_CLICKS` clicks succeeded. */
  hasEnough(): boolean;
  /** Returns the number of links that were created. */
  created(): number;
  /** Stops the clients after their current requests. A client repeats an unanswered request only a few more times. */
  stop(): Promise<void>;
}

const ENOUGH_CLICKS = 50;

type Creation = Extract<Call, { type: 'create' }>;

/**
 * Starts clients that create links and click short URLs.
 *
 * @param keys API keys by name
 */
export function startClients(
  entrances: [Entrance, ...Entrance[]],
  keys: Record<string, string>,
  history: History,
  chance: Chance,
): Clients {
  const seen = { refusals: 0, clicks: 0 };
  const codes: string[] = [];
  let isOver = false;

  /**
   * Repeats a request under the same idempotency key until it is answered. Sometimes gives up earlier, or repeats an
   * answered request.
   */
  async function create(call: Creation, own: Chance): Promise<void> {
    for (;;) {
      const end = await history.call(call, () => sendCreation(own.pick(entrances), keys[call.key] ?? '', call));
      if (end.event === 'ok' && end.codes) codes.push(...end.codes);
      if (end.event === 'fail' && end.error === 'quota_exceeded') seen.refusals += 1;
      const isUnknown = end.event === 'unknown';
      const probabilityToGiveUp = isOver ? 0.2 : 0.02;
      if (own.next() < (isUnknown ? probabilityToGiveUp : 0.9)) return;
      await pause(own.between(0, isUnknown ? AFTER_UNKNOWN : PACE));
    }
  }

  async function createUntilOver(client: string, key: string, own: Chance): Promise<void> {
    for (let number = 1; !isOver; number += 1) {
      const request = `${client}/${number}`;
      const count = own.next() < 0.2 ? own.between(2, 5) : 1;
      const urls = Array.from({ length: count }, (_, at) => `https://example.com/${request}/${at + 1}`);
      const call: Creation = { client, type: 'create', key, request, urls };
      // Some clients send the same request twice at the same time.
      const twins = own.next() < 0.1 ? [own, chanceFrom(number)] : [own];
      await Promise.all(twins.map((twin) => create(call, twin)));
      await pause(own.between(0, PACE));
    }
  }

  async function clickUntilOver(client: string, own: Chance): Promise<void> {
    while (!isOver) {
      const code = own.next() < 0.5 ? codes.at(-1) : codes[own.between(0, codes.length - 1)];
      const call = () => click(own.pick(entrances), code ?? '');
      const end = code ? await history.call({ client, type: 'click', code }, call) : null;
      if (end?.event === 'ok') seen.clicks += 1;
      await pause(own.between(0, end?.event === 'unknown' ? AFTER_UNKNOWN : PACE));
    }
  }

  const own = () => chanceFrom(chance.between(0, 2 ** 31));
  const clients = [
    ...Object.keys(keys).flatMap((key) =>
      Array.from({ length: CREATORS_PER_KEY }, (_, at) => createUntilOver(`creator-${key}-${at + 1}`, key, own())),
    ),
    ...Array.from({ length: VISITORS }, (_, at) => clickUntilOver(`visitor-${at + 1}`, own())),
  ];
  return {
    hasEnough: () => seen.refusals > 0 && seen.clicks >= ENOUGH_CLICKS,
    created: () => codes.length,
    async stop() {
      isOver = true;
      await Promise.all(clients);
    },
  };
}

async function sendCreation(to: Entrance, key: string, { request, urls }: Creation): Promise<CallEnd> {
  const headers = { 'Content-Type': 'application/json', 'X-API-Key': key, 'Idempotency-Key': request };
  const [url] = urls;
  const isBatch = urls.length > 1;
  const body = JSON.stringify(isBatch ? { urls: urls.map((url) => ({ url })) } : { url });
  const answer = await send(to, `${to.api}/api/v1/urls${isBatch ? '/batch' : ''}`, { headers, body });
  if (answer.status !== (isBatch ? 207 : 201)) return failedOrUnknown(answer);
  return { event: 'ok', codes: codesIn(answer.body, isBatch) };
}

/** Returns the short codes in a response. Returns an empty list if the response is invalid. */
function codesIn(body: string, isBatch: boolean): string[] {
  try {
    const json = JSON.parse(body);
    const results = isBatch ? BatchAnswer.parse(json).results : [{ link: Link.parse(json) }];
    return results.flatMap((result) => ('link' in result ? [result.link.shortCode] : []));
  } catch {
    return [];
  }
}

async function click(to: Entrance, code: string, timeout?: number): Promise<CallEnd> {
  const answer = await send(to, `${to.short}/${code}`, { headers: { 'User-Agent': BROWSER }, timeout });
  return answer.status === 302 ? { event: 'ok', location: answer.location } : failedOrUnknown(answer);
}

/** Clicks all links, one after another. */
export async function clickAll(to: Entrance, codes: string[], history: History): Promise<void> {
  for (const code of codes)
    await history.call({ client: 'last-visitor', type: 'click', code }, () => click(to, code, LONG_TIMEOUT));
}

/**
 * Returns `fail` for a refused call, which has no effect. Returns `unknown` for a 5xx response, because the service
 * may have executed the call.
 */
function failedOrUnknown({ status, body }: Answer): CallEnd {
  const [, error = ''] = /"code":"(\w+)"/.exec(body) ?? [];
  return { event: status < 500 ? 'fail' : 'unknown', status, error };
}

/** Reads all links of the account with their click counts. */
export async function readAllLinks(
  from: Entrance,
  key: string,
): Promise<{ code: string; url: string; clicks: number }[]> {
  const links: { code: string; url: string; clicks: number }[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const options = { headers: { 'X-API-Key': key }, timeout: LONG_TIMEOUT };
    const { status, body } = await send(from, `${from.api}/api/v1/urls?limit=100${page}`, options);
    if (status === 429) await pause(200);
    else if (status !== 200) throw new Error(`The links could not be read: ${status} ${body}`);
    else {
      const list = LinkList.parse(JSON.parse(body));
      links.push(...list.links.map(({ shortCode, url, clicks }) => ({ code: shortCode, url, clicks })));
      cursor = list.nextCursor;
    }
  }
  return links;
}

interface Answer {
  status: number;
  body: string;
  /** Address to which the service redirects the client, or an empty string. */
  location: string;
}

/** Milliseconds after which a client gives up waiting. A suspended service may still execute the call later. */
const TIMEOUT = 1_000;

/** Node's HTTP client is used because it never repeats a request, which `fetch` may do. */
const AGENTS = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) };

/** Sends one request. Throws if there is no complete answer in time. */
function send(
  { proxy }: Entrance,
  url: string,
  options: { headers: Record<string, string>; body?: string; timeout?: number | undefined },
): Promise<Answer> {
  const { headers, body, timeout = TIMEOUT } = options;
  const method = body === undefined ? 'GET' : 'POST';
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeout);
    const { host, hostname: servername } = new URL(url);
    const common = { method, headers: { ...headers, ...length, Host: host }, signal, servername, ...proxy };
    const receive = (answer: http.IncomingMessage) => {
      const { statusCode: status = 0, headers } = answer;
      text(answer).then((body) => resolve({ status, body, location: headers.location ?? '' }), reject);
    };
    const sent = proxy
      ? https.request(url, { ...common, agent: AGENTS.https }, receive)
      : http.request(url, { ...common, agent: AGENTS.http }, receive);
    sent.on('error', reject).end(body);
  });
}
