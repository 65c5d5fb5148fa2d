import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type App, createApp, type Parts } from './app.ts';
import { answerClientError } from './client-error.ts';
import type { Config, ListenAddress } from './config.ts';
import { KEPT_FOR } from './domain/idempotency.ts';

export interface Service {
  /** Where the listeners really are, and what the public is told. */
  addresses: { api: string; short: string; baseUrl: string; shortBaseUrl: string };
  /** Takes nothing new, finishes what is under way, closes the store. Safe to call twice. */
  stop(): Promise<void>;
}

const SERVER_OPTIONS: ServerOptions = {
  /** A client gets this long to send its headers, and its whole request, in milliseconds. */
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
  /** Longer than proxies and browsers keep a connection, so that it is they who close it, never under a request. */
  keepAliveTimeout: 120_000,
  /** A request without a host is refused by the app, with a body like every other error. */
  requireHostHeader: false,
};

/** How long a stop waits for requests under way before it cuts them off, in milliseconds. */
const STOP_TIMEOUT = 10_000;
const FORGET_EVERY = 3_600_000;

/** Starts both listeners on a store that is open. */
export async function startService(
  parts: Omit<Parts, 'baseUrl' | 'shortBaseUrl' | 'isStopping' | 'config'> & { config: Config },
): Promise<Service> {
  const { config, store, clock, log } = parts;
  const app = Promise.withResolvers<App>();
  const api = listener(app.promise, 'api');
  const short = listener(app.promise, 'redirects');
  await Promise.all([listen(api, config.listen), listen(short, config.shortListen)]).catch((error) => {
    api.close();
    short.close();
    throw error;
  });

  let stopping: Promise<void> | null = null;
  const baseUrl = config.baseUrl ?? publicAddress(api);
  const shortBaseUrl = config.shortBaseUrl ?? publicAddress(short);
  app.resolve(createApp({ ...parts, baseUrl, shortBaseUrl, isStopping: () => stopping !== null }));

  const forgetOldAnswers = () =>
    store.submissions
      .forget(clock() - KEPT_FOR)
      .catch((error) => log('error', 'old answers were not removed', { error }));
  const housekeeping = setInterval(forgetOldAnswers, FORGET_EVERY).unref();
  await forgetOldAnswers();

  async function stop(): Promise<void> {
    clearInterval(housekeeping);
    await Promise.all([close(api), close(short)]);
    await store.close();
  }
  return {
    addresses: { api: address(api), short: address(short), baseUrl, shortBaseUrl },
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** Made before the app is, since the app is told the addresses; a request that comes in between waits. */
function listener(app: Promise<App>, part: keyof App): Server {
  let handle: RequestListener | null = null;
  const ready = app.then((made) => {
    handle = made[part];
    return handle;
  });
  const answer: RequestListener = (request, response) => {
    if (handle) handle(request, response);
    else ready.then((late) => late(request, response));
  };
  // An expectation that is not known may be ignored (RFC 9110, section 10.1.1); Node would answer it without a body.
  return createServer(SERVER_OPTIONS, answer).on('checkExpectation', answer).on('clientError', answerClientError);
}

async function listen(server: Server, { host, port }: ListenAddress): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A kept-alive connection turns idle only when its request is done, and then nothing else closes it.
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  const cut = setTimeout(() => server.closeAllConnections(), STOP_TIMEOUT);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}

function address(server: Server): string {
  const { address: host, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
}

/** A listener on every interface has no address one could open; on this machine it is localhost. */
function publicAddress(server: Server): string {
  return new URL(address(server).replace(/\/\/(0\.0\.0\.0|\[::\]):/, '//localhost:')).origin;
}
