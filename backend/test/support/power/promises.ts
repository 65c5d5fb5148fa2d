import { DatabaseSync } from 'node:sqlite';
import { hashKey } from '../../../src/domain/accounts/api-keys.ts';
import type { LinkTarget } from '../../../src/domain/links/stored-link.ts';
import type { Store } from '../../../src/store/open-store.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { FIRST_ACCOUNT } from '../../../src/store/sql/account-queries.ts';

/** Response that a process sent to a client. */
export interface Answer {
  /** Position among the system calls. Infinity if the response was never sent. */
  at: number;
}

/** A link, with the responses of the service about it. */
export interface PromisedLink {
  code: string;
  /** URL of the link after each request that created, edited or deleted it, in order. Null means deleted. */
  versions: { url: string | null; answer: Answer }[];
  /** Redirects of visitors, in order. */
  clicks: Answer[];
  /** Numbers of clicks that the service had saved on the disk when it exited. */
  savedClicks: { count: number; answer: Answer }[];
}

/** Positions of a command's start and of the first power cut after the command has succeeded. */
export interface CommandSpan {
  start: number;
  end: number;
}

/** An API key, and the commands that created and revoked it. */
export interface PromisedKey {
  text: string;
  created: CommandSpan;
  revoked: CommandSpan;
}

/** All responses and command results that clients got during a recording, with their positions. */
export interface Promises {
  links: PromisedLink[];
  keys: PromisedKey[];
}

export const NEVER: Answer = { at: Number.POSITIVE_INFINITY };

/** Returns the responses after which a link or click count must not be lost. */
export function answersIn({ links }: Promises): Answer[] {
  return links.flatMap(({ versions, savedClicks }) => [...versions, ...savedClicks].map(({ answer }) => answer));
}

/** Returns the number of responses that were sent before a position. */
export function countAnswered(answers: Answer[], at: number): number {
  return answers.filter((answer) => answer.at < at).length;
}

/**
 * Opens a database after a power cut, and returns a message for each broken promise.
 *
 * @param at position of the power cut
 */
export async function findBrokenPromises(path: string, promises: Promises, at: number): Promise<string[]> {
  try {
    return [...(await checkStore(path, promises, at)), ...findDamage(path)];
  } catch (error) {
    return [`cannot be used: ${(error as Error).message}`];
  }
}

async function checkStore(path: string, { links, keys }: Promises, at: number): Promise<string[]> {
  const broken: string[] = [];
  const store = await openStore({ engine: 'sqlite', path }, Date.now());
  try {
    await store.clicks.count();
    for (const link of links) {
      broken.push(...brokenVersion(link, await store.links.resolve(link.code), at));
      const stored = await store.links.find(FIRST_ACCOUNT, link.code);
      if (stored?.deletedAt === null) broken.push(...brokenClicks(link, stored.clicks, at));
    }
    for (const key of keys) broken.push(...(await brokenKey(store, key, at)));
    return [...broken, ...(await findUnknown(store, links, keys))];
  } finally {
    await store.close();
  }
}

function brokenVersion({ code, versions }: PromisedLink, target: LinkTarget | null, at: number): string[] {
  const answered = versions.findLastIndex(({ answer }) => answer.at < at);
  // The next request may have been executed, although its response was not sent yet.
  const possible = versions.slice(Math.max(0, answered), answered + 2).map(({ url }) => url ?? 'deleted');
  if (!target) return answered === -1 ? [] : [`${code} is missing instead of ${possible.join(' or ')}`];
  const actual = target.deletedAt === null ? target.url : 'deleted';
  return possible.includes(actual) ? [] : [`${code} is ${actual} instead of ${possible.join(' or ')}`];
}

function brokenClicks({ code, clicks, savedClicks }: PromisedLink, counted: number, at: number): string[] {
  const saved = Math.max(0, ...savedClicks.map(({ count, answer }) => (answer.at < at ? count : 0)));
  // A client sends one request at a time, so at most one click was recorded but not redirected yet.
  const made = Math.min(clicks.length, countAnswered(clicks, at) + 1);
  if (counted < saved) return [`${code} has ${counted} clicks, but had ${saved}`];
  return counted > made ? [`${code} has ${counted} clicks, but was visited only ${made} times`] : [];
}

async function brokenKey({ keys }: Store, { text, created, revoked }: PromisedKey, at: number): Promise<string[]> {
  const key = await keys.find(hashKey(text));
  const name = `the key …${text.slice(-4)}`;
  if (!key) return created.end <= at ? [`${name} is missing`] : [];
  if (key.revokedAt === null) return revoked.end <= at ? [`${name} is valid, but was revoked`] : [];
  return at <= revoked.start ? [`${name} is revoked, but nobody has revoked it`] : [];
}

async function findUnknown(store: Store, links: PromisedLink[], keys: PromisedKey[]): Promise<string[]> {
  const codes = new Set(links.map(({ code }) => code));
  const all = await store.links.list(FIRST_ACCOUNT, null, 10_000);
  const unknown = all.filter(({ code }) => !codes.has(code)).map(({ code }) => `nobody created the link ${code}`);
  const keyCount = (await store.keys.list()).length;
  return keyCount > keys.length
    ? [...unknown, `${keyCount} keys exist, but only ${keys.length} were created`]
    : unknown;
}

function findDamage(path: string): string[] {
  const connection = new DatabaseSync(path, { readOnly: true });
  try {
    const integrity = connection
      .prepare('PRAGMA integrity_check')
      .all()
      .map((row) => String(row.integrity_check));
    const references = connection.prepare('PRAGMA foreign_key_check').all();
    const damage = integrity.filter((line) => line !== 'ok');
    return references.length > 0 ? [...damage, `${references.length} rows refer to missing rows`] : damage;
  } finally {
    connection.close();
  }
}
