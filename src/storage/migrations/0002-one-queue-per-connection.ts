import type * as Now from '../../queue/types.ts';
import { resultOf } from '../idb-promises.ts';
import type { Attempt, Link, Request, Version1 } from './0001-first-schema.ts';

/** What version 2 keeps. */
export interface Version2 {
  connection: Now.Connection | null;
  queue: { connectionId: string; revision: string; state: Now.QueueState; budget: Now.Quota } | null;
  attempt: Now.Attempt | null;
  requests: Now.Request[];
  links: Now.Link[];
}

/** Gives each connection a queue of its own. Everything of version 1 is read, converted and written in the upgrade. */
export async function toOneQueuePerConnection(database: IDBDatabase, transaction: IDBTransaction): Promise<void> {
  const old = await readVersion1(transaction);
  database.deleteObjectStore('state');
  const connections = database.createObjectStore('connections', { keyPath: 'id' });
  const queues = database.createObjectStore('queues', { keyPath: 'connectionId' });
  const attempts = database.createObjectStore('attempts', { keyPath: 'id' });
  attempts.createIndex('connectionId', 'connectionId');
  const requests = transaction.objectStore('requests');
  requests.createIndex('connectionId', 'connectionId');
  requests.createIndex('groupId', 'groupId');
  const links = transaction.objectStore('links');
  links.createIndex('shortUrl', 'shortUrl');
  links.createIndex('connectionId', 'connectionId');

  const converted = fromVersion1(old, crypto.randomUUID());
  const { connection, queue, attempt } = converted;
  const secrets = transaction.objectStore('secrets');
  secrets.delete('apiKey');
  if (connection) connections.put(connection);
  if (connection && old.apiKey !== null) secrets.put(old.apiKey, connection.id);
  if (queue) queues.put(queue);
  if (attempt) attempts.put(attempt);
  for (const request of converted.requests) requests.put(request);
  for (const link of converted.links) links.put(link);
}

async function readVersion1(transaction: IDBTransaction): Promise<Version1> {
  const state = transaction.objectStore('state');
  return {
    connection: (await resultOf(state.get('connection'))) ?? null,
    queue: (await resultOf(state.get('queue'))) ?? null,
    budgets: await resultOf(state.getAll(IDBKeyRange.bound('budget:', 'budget:\uffff'))),
    apiKey: (await resultOf(transaction.objectStore('secrets').get('apiKey'))) ?? null,
    requests: await resultOf(transaction.objectStore('requests').getAll()),
    links: await resultOf(transaction.objectStore('links').getAll()),
  };
}

/**
 * Converts what version 1 kept. Budgets of connections that are gone are left behind: nothing can be sent under them.
 *
 * @param attemptId for the open attempt, which had no id
 */
export function fromVersion1(old: Version1, attemptId: string): Version2 {
  const { connection } = old;
  const connectionId = connection?.id ?? null;
  const attempt = openAttempt(old);
  const inAttempt = new Set(attempt?.requestIds);
  return {
    connection: connection && { ...connection, name: '', serviceReadAt: null, lastSeenWellAt: null, preferredAt: 1 },
    queue: connection && {
      connectionId: connection.id,
      revision: '',
      state: stateOf(old),
      budget: budgetOf(old, connection.id),
    },
    attempt: attempt && convertAttempt(attempt, attemptId, old),
    requests: old.requests.map((request) => convertRequest(request, connectionId, inAttempt.has(request.id))),
    links: old.links.map((link) => convertLink(link, connectionId)),
  };
}

/**
 * The open attempt, where its end is still to come: it can be sent again under its key, or it was in flight when the
 * worker died, and recovery ends it.
 */
function openAttempt({ connection, queue }: Version1): Attempt | null {
  const attempt = queue?.attempt ?? null;
  if (!attempt || attempt.connectionId !== connection?.id) return null;
  return attempt.inFlight || connection.service?.features.includes('idempotency') ? attempt : null;
}

function stateOf({ queue }: Version1): Now.QueueState {
  const pause = queue?.pause ?? null;
  return {
    lastEndedAt: queue?.lastEndedAt ?? null,
    pause: pause && { until: pause.until, reason: pause.reason, named: pause.told ?? false },
    failures: queue?.failures ?? 0,
    probeDue: false,
    halt: queue?.halt ?? null,
    latestTime: queue?.lastSeen ?? 0,
  };
}

function budgetOf({ budgets }: Version1, connectionId: string): Now.Quota {
  const budget = budgets.find((one) => one.connectionId === connectionId);
  // One that nothing was ever sent under was not stored: the specification's limits, 20 in any 25 hours and one a second.
  if (!budget) {
    return { gapMs: 1_000, quota: { limit: 20, windowMs: 90_000_000 }, reported: null, sends: [], clockSample: null };
  }
  const { gapMs, quota, told, sends, evidence } = budget;
  const clockSample = evidence && { local: evidence.local, service: evidence.service, workerId: evidence.lifetime };
  return { gapMs, quota, reported: told, sends, clockSample };
}

function convertAttempt({ misread, firstSentAt, ...attempt }: Attempt, id: string, old: Version1): Now.Attempt {
  const clock = old.budgets.find(({ connectionId }) => connectionId === attempt.connectionId)?.evidence;
  const members = old.requests.filter((request) => attempt.requestIds.includes(request.id));
  return {
    ...attempt,
    id,
    // It was dated by this computer's clock.
    firstSend: { atService: clock ? firstSentAt + clock.service - clock.local : firstSentAt, confirmed: false },
    sends: Math.max(1, ...members.map(({ attempts }) => attempts)),
    suspect: false,
    parks: 0,
    parkedUntil: null,
  };
}

function convertRequest(request: Request, connectionId: string | null, inAttempt: boolean): Now.Request {
  return {
    ...request,
    ...convertState(request, inAttempt),
    connectionId,
    groupId: null,
    options: { shortCode: null, title: null, expiresAt: null },
    sends: [],
    // Whatever was sent already goes as it went: by itself.
    alone: request.attempts > 0,
    source: 'background',
  };
}

function convertState({ state, problem }: Request, inAttempt: boolean): Pick<Now.Request, 'state' | 'problem'> {
  if (state === 'unknown') return { state: inAttempt ? 'unanswered' : 'undecided', problem };
  // The attempt went to another connection, and nobody can tell what came of it.
  if (state === 'sending' && !inAttempt) return { state: 'undecided', problem: { code: 'interrupted', message: '' } };
  return { state, problem };
}

function convertLink(link: Link, connectionId: string | null): Now.Link {
  const shortCode = URL.parse(link.shortUrl)?.pathname.split('/').pop() ?? '';
  return { ...link, connectionId, groupId: null, shortCode, expiresAt: null };
}
