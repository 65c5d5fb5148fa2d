import { GRANTED_LOCKS } from '../../support/locks.ts';
import 'fake-indexeddb/auto';
import { vi } from 'vitest';
import type { Chance } from '../../../../scripts/torture/random-choices.ts';
import type { PendingWork } from './agenda.ts';
import type { Computer } from './computer.ts';
import type { Gate } from './gate.ts';
import { guardDatabase } from './guard-database.ts';

export interface Surroundings {
  /** Computer whose background worker runs now. All other computers wait for an event. */
  computer: Computer;
  chance: Chance;
  work: PendingWork;
  /** True to break the disk: it loses sends that it has reported as stored. */
  losesSends: boolean;
  fetch: (computer: Computer, url: string, init: RequestInit) => Promise<Response>;
}

let current: Surroundings | null = null;

/** Selects the simulation and the computer to which the global functions belong from now on. */
export function enter(surroundings: Surroundings): void {
  current = surroundings;
}

export function here(): Surroundings {
  if (!current) throw new Error('No simulation is running.');
  return current;
}

/**
 * Replaces the clocks, timers, random numbers, database and network of the background worker by those of the current
 * computer. A test file calls this function once, because the original functions are not restored.
 */
export function replaceGlobals(): void {
  // Plain assignments, because spies would record millions of calls.
  Date.now = () => (current ? current.computer.wallClock : 0);
  performance.now = () => (current ? current.computer.monotonicClock : 0);
  Math.random = () => here().chance.next();
  crypto.randomUUID = newUuid;
  crypto.getRandomValues = fillRandomly as typeof crypto.getRandomValues;
  AbortSignal.timeout = timeLimit;
  vi.stubGlobal('setTimeout', (run: (...values: unknown[]) => void, ms?: number, ...values: unknown[]) =>
    timer(() => run(...values), ms),
  );
  vi.stubGlobal('setInterval', (run: () => void, ms?: number) => timer(run, ms, ms));
  for (const name of ['clearTimeout', 'clearInterval']) {
    vi.stubGlobal(name, (handle?: ReturnType<typeof timer>) => handle?.owner.clearTimeout(handle.id));
  }
  vi.stubGlobal('setImmediate', (run: () => void, ...values: unknown[]) => here().work.setImmediate(run, ...values));
  vi.stubGlobal('structuredClone', copyOf);
  vi.stubGlobal('navigator', {
    locks: GRANTED_LOCKS,
    get onLine() {
      return here().computer.online;
    },
    clipboard: { writeText: async () => undefined },
  });
  vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => here().fetch(here().computer, url, init));
  Object.defineProperty(globalThis, 'indexedDB', { configurable: true, get: () => here().computer.disk });
  loseSends();
  const gate = {
    check: (name: string) => here().computer.gate.check(name),
    passed: () => here().computer.gate.passed(),
    die: () => here().computer.gate.die(),
    get isDead() {
      return here().computer.gate.isDead;
    },
    died: () => {},
  };
  guardDatabase(gate as Gate, () => here().computer.committed());
  abortTransactions = () => gate.died();
}

function loseSends(): void {
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (value: { id: string; state?: unknown }, ...key) {
    if (this.name !== 'requests' || value.state !== 'sending' || !here().losesSends)
      return put.call(this, value, ...key);
    return put.call(this, { ...value, state: 'waiting' }, ...key);
  };
}

/** Aborts the open transactions of a background worker that has died. */
export let abortTransactions = (): void => {};

const timeLimits = new WeakMap<AbortSignal, ReturnType<typeof timer>>();

function timeLimit(ms: number): AbortSignal {
  const controller = new AbortController();
  const timedOut = () => controller.abort(new DOMException('The operation timed out.', 'TimeoutError'));
  timeLimits.set(controller.signal, timer(timedOut, ms));
  return controller.signal;
}

/** Cancels the time limit of an answered request, to avoid an event without an effect. */
export function endTimeLimit(signal: AbortSignal): void {
  const limit = timeLimits.get(signal);
  limit?.owner.clearTimeout(limit.id);
}

/** Timers are objects, because the service calls their methods as it does with those of Node. */
function timer(run: () => void, ms = 0, everyMs: number | null = null) {
  const { computer: owner } = here();
  const handle = { owner, id: owner.setTimeout(run, ms, everyMs), unref: () => handle, refresh: () => handle };
  return handle;
}

function newUuid(): ReturnType<typeof crypto.randomUUID> {
  const part = () => here().chance.between(0, 0xffff).toString(16).padStart(4, '0');
  return `${part()}${part()}-${part()}-${part()}-${part()}-${part()}${part()}${part()}`;
}

function fillRandomly<T extends Uint8Array>(bytes: T): T {
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = here().chance.between(0, 255);
  return bytes;
}

/** Copies records of the database, which consist of plain values. Much faster than the original function. */
function copyOf<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf) as T;
  const copy: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(value)) copy[name] = copyOf(part);
  return copy as T;
}
