import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request as sendRequest } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { duplexPair } from 'node:stream';
import { FEATURE } from '@terse/contract/service-capabilities';
import { createKey } from '../../../../backend/src/commands/manage.ts';
import { readConfig } from '../../../../backend/src/config/environment.ts';
import type { Random } from '../../../../backend/src/domain/clock-and-random.ts';
import { runMaintenance } from '../../../../backend/src/maintenance/maintenance.ts';
import { createWebListener } from '../../../../backend/src/server/web-app.ts';
import { openStore, type Store } from '../../../../backend/src/store/open-store.ts';
import type { PendingWork } from './agenda.ts';

export const BASE_URL = 'https://terse.example';
export const SHORT_BASE_URL = 'https://s.example';
/** Host that the operator of the service has blocked. */
export const BLOCKED_HOST = 'blocked.example';

/** Uses a file system in memory if one exists, because SQLite waits for the disk at each commit. */
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

export interface HttpRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
}

export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface ServiceOptions {
  clock: () => number;
  random: Random;
  work: PendingWork;
  /**
   * True to break the service: it does not recognize repeated requests, and accepts no codes from the client, because
   * these codes alone would prevent a second link.
   */
  forgetsKeys: boolean;
  /** True if its generated codes are so short that they are often taken. */
  hasFewCodes: boolean;
  /** True to break the service: it does not limit requests. */
  hasNoLimits: boolean;
}

/**
 * The real service in this process: HTTP parser, web app, domain rules and SQLite on a real file. Only its clock, its
 * random numbers and the network are simulated.
 */
export class Service {
  readonly #options: ServiceOptions;
  readonly #store: Store;
  readonly #folder: string;
  readonly #links: DatabaseSync;
  readonly #server: ReturnType<typeof createServer>;
  readonly #log: string[] = [];

  private constructor(options: ServiceOptions, store: Store, folder: string, path: string) {
    this.#options = options;
    this.#store = options.forgetsKeys ? forgetful(store) : store;
    this.#folder = folder;
    this.#links = new DatabaseSync(path, { readOnly: true });
    const limits = options.hasNoLimits ? { TERSE_THROTTLE: '1000', TERSE_DAILY_QUOTA: '1000000' } : {};
    const config = readConfig({
      TERSE_DATABASE: `file:${path}`,
      TERSE_BASE_URL: BASE_URL,
      TERSE_SHORT_BASE_URL: SHORT_BASE_URL,
      ...limits,
    });
    const log = (level: string, text: string, data?: { error?: unknown }) => {
      if (level === 'error') this.#log.push(`${text}: ${String(data?.error)}`);
    };
    const { clock, random } = options;
    const listener = createWebListener({
      config,
      store: this.#store,
      clock,
      random,
      log,
      version: '0.0.0-test',
      baseUrl: BASE_URL,
      shortBaseUrls: [SHORT_BASE_URL],
      hasOtherDomains: false,
      forgetLink: () => {},
      logRequest: () => {},
      isHostBlocked: (host) => host === BLOCKED_HOST,
      onMalformed: () => {},
      holdStop: () => {},
      stopping: new AbortController().signal,
    });
    this.#server = createServer(listener);
  }

  static async start(options: ServiceOptions): Promise<Service> {
    const folder = mkdtempSync(join(FOLDER, 'terse-simulation-'));
    const path = join(folder, 'terse.db');
    const store = await openStore({ engine: 'sqlite', path }, options.clock(), options.clock, false);
    return new Service(options, store, folder, path);
  }

  /** Messages about errors that the service has logged. A healthy service logs none. */
  get errors(): readonly string[] {
    return this.#log;
  }

  newKey(): Promise<string> {
    const { random, clock } = this.#options;
    return createKey(this.#store, random, { name: 'test', throttle: null, quota: null }, clock());
  }

  /** Handles one HTTP request on a separate connection, inside this process. */
  handle({ method, path, headers, body }: HttpRequest): Promise<HttpAnswer> {
    const { work, clock } = this.#options;
    const [client, server] = duplexPair();
    work.begin();
    const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
    const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const request = sendRequest(BASE_URL.replace('https:', 'http:') + path, {
      method,
      headers: { ...headers, ...length, connection: 'close' },
      createConnection: () => client as Socket,
    });
    request.on('error', reject);
    request.on('response', async (response: IncomingMessage) => {
      const text = Buffer.concat(await response.toArray()).toString();
      // Node writes the real time into this header, and its clock cannot be replaced.
      const date = new Date(clock()).toUTCString();
      const { 'content-length': _, connection: __, ...rest } = response.headers as Record<string, string>;
      const body = path === '/api' ? this.#documentFrom(text) : text;
      resolve({ status: response.statusCode ?? 0, headers: { ...rest, date }, body });
    });
    this.#server.emit('connection', server);
    request.end(body ?? undefined);
    return promise.finally(() => work.end());
  }

  #documentFrom(text: string): string {
    const { forgetsKeys, hasFewCodes } = this.#options;
    const shown = forgetsKeys ? withoutChosenCodes(text) : text;
    return hasFewCodes && !forgetsKeys ? withFewCodes(shown) : shown;
  }

  runMaintenance(): Promise<void> {
    const log = (_level: string, text: string) => void this.#log.push(text);
    const stopping = new AbortController().signal;
    return runMaintenance({ store: this.#store, clock: this.#options.clock, log, stopping });
  }

  /** Returns the links that lead to this URL. */
  linksTo(url: string): { code: string; url: string }[] {
    return this.#links.prepare('SELECT code, url FROM links WHERE url = ?').all(url) as { code: string; url: string }[];
  }

  /** Returns the URL of the link with this short code, or null. */
  urlOf(code: string): string | null {
    return (this.#links.prepare('SELECT url FROM links WHERE code = ?').get(code)?.url as string | undefined) ?? null;
  }

  allUrls(): string[] {
    return this.#links
      .prepare('SELECT url FROM links ORDER BY id')
      .all()
      .map(({ url }) => url as string);
  }

  async stop(): Promise<void> {
    this.#links.close();
    await this.#store.close();
    rmSync(this.#folder, { recursive: true });
  }
}

function forgetful(store: Store): Store {
  const { createRequests } = store;
  const submit: typeof createRequests.submit = (request) => createRequests.submit({ ...request, idempotency: null });
  return { ...store, createRequests: { ...createRequests, submit } };
}

function withoutChosenCodes(serviceDocument: string): string {
  const { codes: _, ...document } = JSON.parse(serviceDocument) as { codes: unknown; features: string[] };
  const features = document.features.filter((feature) => feature !== FEATURE.chosenCodes);
  return JSON.stringify({ ...document, features });
}

function withFewCodes(serviceDocument: string): string {
  return JSON.stringify({ ...JSON.parse(serviceDocument), codes: { alphabet: 'ab', length: 6 } });
}
