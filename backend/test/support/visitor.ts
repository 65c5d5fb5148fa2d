import { beforeAll, beforeEach, expect } from 'vitest';
import { setupLink } from '../../src/commands/manage.ts';
import { createInvitation, nameKey } from '../../src/domain/accounts/names-invitations-sessions.ts';
import { hashPassword } from '../../src/domain/accounts/passwords.ts';
import { generateToken, hashToken, systemRandom } from '../../src/domain/clock-and-random.ts';
import { FIRST_ACCOUNT } from '../../src/store/sql/account-queries.ts';
import { serviceForEach, serviceForFile, type TestService } from './service.ts';

export const PASSWORD = 'correct horse battery';

/** A minimal browser. It stores cookies and submits forms, but follows no redirects. */
export interface Visitor {
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Response>;
  /** Uploads a file as the import form does. */
  upload(
    path: string,
    name: string,
    content: string | Uint8Array<ArrayBuffer>,
    fields?: Record<string, string>,
  ): Promise<Response>;
  /** Returns the page at a path. Fails if the page does not exist. */
  page(path: string): Promise<string>;
  cookie: string;
}

const FROM_HERE = { 'Sec-Fetch-Site': 'same-origin' };

export function visit(terse: { service: { addresses: { api: string } } }): Visitor {
  const visitor: Visitor = {
    cookie: '',
    get: (path, headers) => send(path, { headers: headers ?? {} }),
    post: (path, fields = {}, headers = FROM_HERE) =>
      send(path, { method: 'POST', headers, body: new URLSearchParams(fields) }),
    upload(path, name, content, fields = {}) {
      const body = new FormData();
      for (const [key, value] of Object.entries(fields)) body.set(key, value);
      body.set('file', new Blob([content], { type: 'text/csv' }), name);
      return send(path, { method: 'POST', headers: FROM_HERE, body });
    },
    async page(path) {
      const response = await visitor.get(path);
      expect(response.status, path).toBe(200);
      return response.text();
    },
  };

  async function send(path: string, init: RequestInit): Promise<Response> {
    const headers = { Accept: 'text/html', ...(init.headers as Record<string, string>) };
    const url = terse.service.addresses.api + path;
    const response = await fetch(url, { redirect: 'manual', ...init, headers: { ...headers, Cookie: visitor.cookie } });
    for (const cookie of response.headers.getSetCookie()) visitor.cookie = cookie.split(';')[0] ?? '';
    return response;
  }
  return visitor;
}

export async function setupPath({ store, clock }: TestService): Promise<string> {
  const link = await setupLink({ store, random: systemRandom, baseUrl: '', now: clock.now });
  if (!link) throw new Error('This service is already set up.');
  return link;
}

/** Hash of `PASSWORD`. All tests of a file share it, because a hash is slow on purpose. */
let passwordHash: Promise<string> | null = null;

/** Returns a signed-in visitor. By default this is the owner. Any other name creates a user whom the owner invited. */
export async function holder(terse: TestService, name = 'Ada', visitor = visit(terse)): Promise<Visitor> {
  const { accounts, sessions } = terse.store;
  const { now } = terse.clock;
  const accountId = name === 'Ada' ? FIRST_ACCOUNT : (await accounts.create(name, now)).id;
  const { token, stored } = createInvitation(systemRandom, accountId, now);
  await accounts.invite(stored);
  passwordHash ??= hashPassword(PASSWORD, systemRandom);
  const password = await passwordHash;
  const accepted = await accounts.accept({ hash: hashToken(token), name, nameKey: nameKey(name), password, now });
  expect(accepted).toEqual({ accountId });
  const session = generateToken(systemRandom);
  await sessions.create({ accountId, hash: hashToken(session), password, device: 'Firefox on Linux', now });
  visitor.cookie = `${terse.service.addresses.baseUrl.startsWith('https:') ? '__Host-' : ''}terse=${session}`;
  return visitor;
}

/** Starts one service for all tests of a file, with the owner signed in. */
export function ownerForFile(environment: Record<string, string> = {}): { terse: TestService; ada: Visitor } {
  const terse = serviceForFile(environment);
  const ada = visit(terse);
  beforeAll(async () => void (await holder(terse, 'Ada', ada)));
  return { terse, ada };
}

/** Starts a service before each test, with the owner signed in. */
export function ownerForEach(environment: Record<string, string> = {}): { terse: TestService; ada: Visitor } {
  const terse = serviceForEach(environment);
  const ada = visit(terse);
  beforeEach(async () => void (await holder(terse, 'Ada', ada)));
  return { terse, ada };
}

/** Creates an account that waits for its user. Returns the path of its invitation. */
export async function invitationPath({ store, clock }: TestService, name: string): Promise<string> {
  const { id } = await store.accounts.create(name, clock.now);
  const { token, stored } = createInvitation(systemRandom, id, clock.now);
  await store.accounts.invite(stored);
  return `/welcome/${token}`;
}

export function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
