import type { IDBPDatabase } from 'idb';
import type * as Now from '../../queue/types.ts';
import type { Attempt, Link, Request, Version1 } from './0001-first-schema.ts';
import type { UpgradeTransaction } from './migrations.ts';

export interface Version2 {
  connection: Now.Connection | null;
  queue: { connectionId: string; revision: string; state: Now.QueueState; budget: Now.Quota } | null;
  attempt: Now.Attempt | null;
  requests: Now.Request[];
  links: Now.Link[];
}

export async function toOneQueuePerConnection(database: IDBPDatabase, transaction: UpgradeTransaction): Promise<void> {
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
  await secrets.delete('apiKey');
  if (connection) await connections.put(connection);
  if (connection && old.apiKey !== null) await secrets.put(old.apiKey, connection.id);
  if (queue) await queues.put(queue);
  if (attempt) await attempts.put(attempt);
  for (const request of converted.requests) await requests.put(request);
  for (const link of converted.links) await links.put(link);
}

async function readVersion1(transaction: UpgradeTransaction): Promise<Version1> {
  const state = transaction.objectStore('state');
  return {
    connection: (await state.get('connection')) ?? null,
    queue: (await state.get('queue')) ?? null,
    quotas: await state.getAll(IDBKeyRange.bound('budget:', 'budget:\uffff')),
    apiKey: (await transaction.objectStore('secrets').get('apiKey')) ?? null,
    requests: await transaction.objectStore('requests').getAll(),
    links: await transaction.objectStore('links').getAll(),
  };
}

/**
 * Converts the data of schema version 1. Drops the quotas of deleted connections, because no request can use them.
 *
 * @param attemptId new id for the stored attempt to create links. Version 1 stored at most one attempt, without an
 * id.
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
      budget: quotaOf(old, connection.id),
    },
    attempt: attempt && convertAttempt(attempt, attemptId, old),
    requests: old.requests.map((request) => convertRequest(request, connectionId, inAttempt.has(request.id))),
    links: old.links.map((link) => convertLink(link, connectionId)),
  };
}

/**
 * Returns the queue's attempt to create links, if it must be kept. It is kept if its request was in flight or if the
 * server supports idempotency.
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

function quotaOf({ quotas }: Version1, connectionId: string): Now.Quota {
  const stored = quotas.find((one) => one.connectionId === connectionId);
  // Version 1 did not store unused quotas. An unused quota has the specification's default limits: one link per
  // second, and 20 links in 25 hours.
  if (!stored) {
    return { gapMs: 1_000, quota: { limit: 20, windowMs: 90_000_000 }, reported: null, sends: [], clockSample: null };
  }
  const { gapMs, quota, told, sends, evidence } = stored;
  const clockSample = evidence && { local: evidence.local, service: evidence.service, workerId: evidence.lifetime };
  return { gapMs, quota, reported: told, sends, clockSample };
}

function convertAttempt({ misread, firstSentAt, ...attempt }: Attempt, id: string, old: Version1): Now.Attempt {
  const clock = old.quotas.find(({ connectionId }) => connectionId === attempt.connectionId)?.evidence;
  const members = old.requests.filter((request) => attempt.requestIds.includes(request.id));
  return {
    ...attempt,
    id,
    // Converts the time from the computer's clock to the server's clock.
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
    // A request that was sent alone must also be repeated alone.
    alone: request.attempts > 0,
    source: 'background',
  };
}

function convertState({ state, problem }: Request, inAttempt: boolean): Pick<Now.Request, 'state' | 'problem'> {
  if (state === 'unknown') return { state: inAttempt ? 'unanswered' : 'undecided', problem };
  // The request was sent through another connection, so its result is unknown.
  if (state === 'sending' && !inAttempt) return { state: 'undecided', problem: { code: 'interrupted', message: '' } };
  return { state, problem };
}

function convertLink(link: Link, connectionId: string | null): Now.Link {
  const shortCode = URL.parse(link.shortUrl)?.pathname.split('/').pop() ?? '';
  return { ...link, connectionId, groupId: null, shortCode, expiresAt: null };
}
