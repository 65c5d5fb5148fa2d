import { ERROR_STATUS, ErrorBody, type ErrorCode } from '@terse/contract';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, onTestFinished } from 'vitest';
import { createKey } from '../../src/commands/manage.ts';
import { readConfig } from '../../src/config/environment.ts';
import { FULL_ACCESS, generateKey, hashKey, type KeyAccess, lastFour } from '../../src/domain/accounts/api-keys.ts';
import { systemRandom } from '../../src/domain/clock-and-random.ts';
import { createLog } from '../../src/log/log.ts';
import { type Service, startService, TIMEOUTS, type Timeouts } from '../../src/server/start-service.ts';
import type { Store } from '../../src/store/open-store.ts';
import { openStore } from '../../src/store/open-store.ts';
import { type AnswerChecker, createChecker, type Described } from './described.ts';
import { postgres } from './postgres.ts';
import { PATIENT } from './program-changes.ts';
import { sqlite } from './sqlite.ts';
import { NOON } from './store.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Database engine. The default is the engine of the test project, or else SQLite. */
    engine?: 'sqlite' | 'postgres';
  }
}

type OwnKey = { throttle?: number; quota?: number } & Partial<KeyAccess>;

/** The real service on real sockets. The test controls its clocks. */
export interface TestService {
  service: Service;
  store: Store;
  log: string[];
  clock: { now: number };
  /** Clock for intervals, which stays unchanged if `clock` is set. */
  monotonic: { now: number };
  /**
   * Sends a request to the API. Checks each response against the OpenAPI document and each error against the API
   * contract.
   */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** Sends a request to the short host without following redirects. */
  visit(pathOrUrl: string, init?: RequestInit): Promise<Response>;
  newKey(own?: OwnKey): Promise<string>;
  newAccountKey(accountId?: number, access?: Partial<KeyAccess>): Promise<string>;
  /** Runs SQL on the service's database. */
  execute(sql: string): Promise<void>;
  stop(): Promise<void>;
}

const ANY_PORT = { TERSE_LISTEN: '127.0.0.1:0', TERSE_SHORT_LISTEN: '127.0.0.1:0' };

export async function startTestService(
  environment: Record<string, string> = {},
  timeouts: Partial<Timeouts> = {},
): Promise<TestService> {
  const database = await (inject('engine') === 'postgres' ? postgres : sqlite).createMigrated();
  const config = readConfig({ ...ANY_PORT, TERSE_DATABASE: database.address, ...environment });
  if (config.database.engine === 'postgres') config.database.timeout = PATIENT;
  const clock = { now: NOON };
  const monotonic = { now: 0 };
  const log: string[] = [];
  const store = await openStore(config.database, clock.now, () => clock.now, config.foldsCase);
  const service = await startService(
    {
      config,
      store,
      clock: () => clock.now,
      monotonic: () => monotonic.now,
      random: systemRandom,
      log: createLog(Date.now, (line) => log.push(line)),
      version: '0.0.0-test',
    },
    { ...TIMEOUTS, drain: 0, finish: PATIENT, ...timeouts },
  );
  const { api, short, shortBaseUrl } = service.addresses;
  return {
    service,
    store,
    log,
    clock,
    monotonic,
    async ask(path, init) {
      const response = await fetch(api + path, { redirect: 'manual', ...init });
      if (response.status >= 400 && init?.method !== 'HEAD') await checkError(response.clone());
      checker ??= createChecker((await (await fetch(`${api}/openapi.json`)).json()) as Described);
      await checker(init?.method ?? 'GET', path, init?.body, response.clone());
      return response;
    },
    visit: (path, init) => fetch(short + path.replace(shortBaseUrl, ''), { redirect: 'manual', ...init }),
    newKey: (own: OwnKey = {}) =>
      createKey(store, systemRandom, { name: 'test', throttle: null, quota: null, ...own }, clock.now),
    async newAccountKey(known?: number, access: Partial<KeyAccess> = {}) {
      const text = generateKey(systemRandom);
      const accountId = known ?? (await store.accounts.create('somebody else', clock.now)).id;
      const standard = { ...FULL_ACCESS, ...access, name: 'test', throttle: null, quota: null, createdAt: clock.now };
      await store.keys.create({ ...standard, accountId, hash: hashKey(text), lastFour: lastFour(text) });
      return text;
    },
    execute: database.execute,
    async stop() {
      await service.stop();
      await database.drop();
    },
  };
}

/** Starts a service before each test and stops it afterwards. Returns an object that is always the running service. */
export function serviceForEach(environment: Record<string, string> = {}): TestService {
  const terse = {} as TestService;
  beforeEach(async () => void Object.assign(terse, await startTestService(environment)));
  afterEach(() => terse.stop());
  return terse;
}

/** A service with an API key of its owner. */
export type ServiceWithKey = TestService & { key: string };

/** Starts a service with an API key before each test, and stops it afterwards. */
export function serviceWithKeyForEach(environment: Record<string, string> = {}): ServiceWithKey {
  const terse = serviceForEach(environment);
  beforeEach(async () => void Object.assign(terse, { key: await terse.newKey() }));
  return terse as ServiceWithKey;
}

/** Starts one service with an API key for all tests of a file. */
export function serviceWithKeyForFile(...settings: Parameters<typeof serviceForFile>): ServiceWithKey {
  const terse = serviceForFile(...settings);
  beforeAll(async () => void Object.assign(terse, { key: await terse.newKey() }));
  return terse as ServiceWithKey;
}

/** Starts a service in a test, and stops it after the test. */
export async function serviceForTest(...settings: Parameters<typeof startTestService>): Promise<TestService> {
  const terse = await startTestService(...settings);
  onTestFinished(() => terse.stop());
  return terse;
}

/** Starts one service for all tests of a file, or of a `describe` block. */
export function serviceForFile(
  environment: Record<string, string> = {},
  timeouts: Partial<Timeouts> = {},
): TestService {
  const terse = {} as TestService;
  beforeAll(async () => void Object.assign(terse, await startTestService(environment, timeouts)));
  afterAll(() => terse.stop());
  return terse;
}

/**
 * Checker of responses, shared by all services of a test file because it is slow to create. The OpenAPI documents of
 * two services differ only in their address.
 */
let checker: AnswerChecker | null = null;

/** Checks that an error has a message, and a code that fits its status. */
export async function checkError(response: Response): Promise<ErrorBody> {
  expect(response.headers.get('content-type')).toBe('application/json');
  const body = ErrorBody.parse(await response.json());
  expect(body.error).toMatch(/^[A-Z"].*\.$/);
  expect(ERROR_STATUS[body.code as ErrorCode]).toBe(response.status);
  return body;
}

/** Returns a JSON POST request with the headers that most clients send. */
export function post(key: string | null, body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}
