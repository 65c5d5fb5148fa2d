import type { Chance } from '../../../../scripts/torture/random-choices.ts';
import type { Computer } from './computer.ts';
import { endTimeLimit } from './globals.ts';
import type { HttpAnswer, HttpRequest, Service } from './service.ts';

const SECOND = 1_000;

/** Fate of one HTTP request on its way to the service and back. */
type Fate =
  | 'answered'
  /** The connection is refused at once. The request does not arrive. */
  | 'refused'
  /** The request does not arrive, and no answer comes. */
  | 'request lost'
  /** The request arrives, but no answer comes. */
  | 'answer lost'
  /** The request arrives, and the connection breaks before the answer. */
  | 'reset after'
  /** The request arrives, and the connection breaks in the middle of the answer. */
  | 'answer torn'
  /** A gateway answers with an error instead of passing the request on. */
  | 'gateway before'
  /** A gateway passes the request on, but answers with an error instead of the service. */
  | 'gateway after'
  /** A gateway limits requests. */
  | 'gateway limit'
  /** A filter blocks the request and sends its own page. */
  | 'filtered'
  /** A Wi-Fi login page answers everything. */
  | 'login page'
  | 'login redirect';

/** State of the network between one computer and the service. */
export type Weather = 'fair' | 'slow' | 'flaky' | 'down' | 'gateway' | 'silent' | 'filtered' | 'login' | 'limited';

const FATES: Record<Weather, readonly [Fate, ...Fate[]]> = {
  fair: ['answered'],
  slow: ['answered'],
  flaky: ['answered', 'answered', 'refused', 'request lost', 'answer lost', 'reset after', 'answer torn'],
  down: ['refused', 'request lost'],
  gateway: ['answered', 'gateway before', 'gateway before', 'gateway after'],
  silent: ['answer lost', 'reset after', 'request lost'],
  filtered: ['filtered', 'filtered', 'answered'],
  login: ['login page', 'login redirect'],
  limited: ['gateway limit', 'answered'],
};

export const WEATHERS = Object.keys(FATES) as [Weather, ...Weather[]];

const GATEWAY_STATUSES = [502, 503, 504, 520, 530] as const;

export interface NetworkParts {
  service: Service;
  chance: Chance;
  /** Called when a POST leaves a computer. May change it, to break the client. */
  onDeparture: (computer: Computer, request: HttpRequest) => HttpRequest;
  /** Called when a request has arrived at the service and the service has answered it. */
  onArrival: (computer: Computer, request: HttpRequest, answer: HttpAnswer) => void;
  trace: (text: string) => void;
}

/** Carries requests between computers and the service, and loses, delays and replaces them. */
export class Network {
  readonly weather = new Map<Computer, Weather>();
  readonly #parts: NetworkParts;

  constructor(parts: NetworkParts) {
    this.#parts = parts;
  }

  fetch(computer: Computer, url: string, init: RequestInit): Promise<Response> {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const { chance, trace } = this.#parts;
    if (!computer.online) return Promise.reject(new TypeError('There is no network.'));
    const weather = this.weather.get(computer) ?? 'fair';
    const fate = chance.pick(FATES[weather]);
    const [there, back] = [this.#delay(weather), this.#delay(weather)];
    const { pathname, search } = new URL(url);
    const asSent: HttpRequest = {
      method: init.method ?? 'GET',
      path: pathname + search,
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === 'string' ? init.body : null,
    };
    const request = asSent.method === 'POST' ? this.#parts.onDeparture(computer, asSent) : asSent;
    trace(`${computer.name} ${request.method} ${request.path} ${request.body ?? ''} ${fate} ${there} ${back}`);
    const { signal } = init;
    const { life } = computer;
    signal?.addEventListener('abort', () => reject(signal.reason));
    const later = (ms: number, end: () => void) =>
      computer.runLater(ms, () => {
        // A worker that has died since then gets no answer.
        if (life !== computer.life) return;
        if (signal) endTimeLimit(signal);
        end();
      });
    const fail = (ms: number) => later(ms, () => reject(new TypeError('The connection is broken.')));
    const page = () => later(there + back, () => resolve(pageOf(fate, chance)));

    if (fate === 'refused') fail(there);
    else if (fate === 'request lost') {
      // The caller's time limit ends the wait.
    } else if (!ARRIVES.includes(fate)) page();
    else {
      computer.agenda.add(computer.agenda.now + there, async () => {
        // A request that was given up does not arrive later, because its connection is closed.
        if (signal?.aborted) return;
        const answer = await this.#parts.service.handle(request);
        this.#parts.onArrival(computer, request, answer);
        if (fate === 'answered') later(back, () => resolve(toResponse(answer, null)));
        else if (fate === 'answer torn') later(back, () => resolve(toResponse(answer, chance.next())));
        else if (fate === 'gateway after') page();
        else if (fate === 'reset after') fail(back);
      });
    }
    return promise;
  }

  /** Delay of one direction, in milliseconds. In slow weather, an answer can come later than the caller waits. */
  #delay(weather: Weather): number {
    const { chance } = this.#parts;
    return weather === 'slow' ? chance.between(SECOND, 14 * SECOND) : chance.between(5, 300);
  }
}

const ARRIVES: Fate[] = ['answered', 'answer lost', 'reset after', 'answer torn', 'gateway after'];

/** @param cut share of the body after which the connection breaks, or null if the body is complete */
function toResponse({ status, headers, body }: HttpAnswer, cut: number | null): Response {
  if (cut === null) return new Response(body, { status, headers });
  const bytes = new TextEncoder().encode(body);
  let hasStarted = false;
  const torn = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (hasStarted) controller.error(new TypeError('The connection is broken.'));
      else controller.enqueue(bytes.slice(0, Math.max(1, Math.floor(bytes.length * cut))));
      hasStarted = true;
    },
  });
  return new Response(torn, { status, headers });
}

function pageOf(fate: Fate, chance: Chance): Response {
  const html = (status: number, headers: Record<string, string> = {}) =>
    new Response('<!doctype html><h1>Please wait</h1>', {
      status,
      headers: { 'content-type': 'text/html', ...headers },
    });
  if (fate === 'login page') return html(200);
  if (fate === 'login redirect') return html(302, { location: 'https://login.example/' });
  if (fate === 'filtered') return html(403);
  if (fate === 'gateway limit') return html(429, chance.next() < 0.5 ? { 'retry-after': '30' } : {});
  const status = chance.pick(GATEWAY_STATUSES);
  if (chance.next() < 0.5) return html(status);
  const body = JSON.stringify({ message: 'Endpoint request timed out' });
  return new Response(body, { status, headers: { 'content-type': 'application/json' } });
}
