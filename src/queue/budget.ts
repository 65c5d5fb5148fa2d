import type { Limit, Limits } from '@terse/contract';
import type { Budget, Time } from './types.ts';

/*
 * The budget of one key at one service.
 *
 * A clock that jumps must never refill it. So sends are dated by the service's clock (the `Date` of its answers), and a
 * send stops counting only when that clock has moved on far enough. Within one life of the worker the local clock runs
 * evenly and carries the service's time forward; over a gap between two lives (asleep, or set by hand? nobody can tell)
 * it is only an estimate, and what the estimate would free has to be confirmed by a look at the service first
 * (`needsConfirmation`). A service that tells no time leaves only the local clock.
 */

/** The specification's limits, read safely: no fixed day in any time zone holds more than 20 if no 25 hours do. */
export const DAY_LIMIT = 20;
export const SAFE_DAY_MS = 25 * 3_600_000;
const DAY_MS = 24 * 3_600_000;
const DATE_RESOLUTION_MS = 1_000;
/** A service that allows more than this a day is left to count for itself, so that the ledger stays small. */
const LEDGER_LIMIT = 2_000;

/** The budget of a key that nothing is known of. */
export function freshBudget(connectionId: string): Budget {
  return {
    connectionId,
    gapMs: 1_000,
    quota: { limit: DAY_LIMIT, windowMs: SAFE_DAY_MS },
    told: null,
    sends: [],
    evidence: null,
  };
}

/** The service's time, as far as this computer can tell. */
export function serviceTime(budget: Budget, time: Time): number {
  return budget.evidence ? budget.evidence.service + Math.max(0, time.now - budget.evidence.local) : time.now;
}

/** Sends the quota still allows now. */
export function remaining(budget: Budget, time: Time): number {
  return remainingAt(budget, serviceTime(budget, time));
}

/** Whether `remaining` counts on time that passed unseen, so that the service's clock has to confirm it first. */
export function needsConfirmation(budget: Budget, time: Time): boolean {
  const { evidence } = budget;
  if (!evidence || evidence.lifetime === time.lifetime) return false;
  return remainingAt(budget, evidence.service) <= 0;
}

/** When (by the local clock) the next unit comes back; null when none is spent. */
export function nextUnitAt(budget: Budget, time: Time): number | null {
  const service = serviceTime(budget, time);
  if (remainingAt(budget, service) >= budget.quota.limit) return null;
  const oldest = Math.min(...counted(budget, service).map((send) => send.atService));
  const { told, quota } = budget;
  const borderAt = told && Math.max(told.resetAtService, windowStart(told, service) + told.windowMs);
  const ends = borderAt ?? oldest + quota.windowMs;
  return time.now + (ends - service);
}

/** Charges one send. It is committed before the request leaves, whatever becomes of it. */
export function debit(budget: Budget, time: Time): Budget {
  const service = serviceTime(budget, time);
  return {
    ...budget,
    told: budget.told && { ...budget.told, remaining: Math.max(0, budget.told.remaining - 1) },
    sends: [...kept(budget, time), { atService: service, confirmed: false }],
  };
}

/** What an answer, or a look, told of the service's time and limits. `date`: its `Date`, milliseconds; null if none. */
export interface Told {
  date: number | null;
  limits: Limits;
}

/** Takes in what the service told: its time first, by which open sends are dated, then its limits and counts. */
export function reconcile(budget: Budget, told: Told, time: Time): Budget {
  return withLimits(withDate(budget, told.date, time), told.limits, time);
}

/** After a look that told no time: this service has no clock to confirm with, so the local one has to do. */
export function trustLocalClock(budget: Budget, time: Time): Budget {
  if (!budget.evidence) return budget;
  return { ...budget, evidence: { local: time.now, service: serviceTime(budget, time), lifetime: time.lifetime } };
}

function withDate(budget: Budget, date: number | null, time: Time): Budget {
  if (date === null) return budget;
  // Every send reached the service before this answer left, so dating an open one now never frees it early. One dated
  // later than now tells of a clock that ran ahead and has been put right.
  const latest = date + DATE_RESOLUTION_MS;
  const sends = budget.sends.map((send) =>
    send.confirmed && send.atService <= latest ? send : { atService: latest, confirmed: true },
  );
  const told = budget.told && {
    ...budget.told,
    resetAtService: Math.min(budget.told.resetAtService, latest + budget.told.windowMs),
  };
  return { ...budget, sends, told, evidence: { local: time.now, service: date, lifetime: time.lifetime } };
}

function withLimits(budget: Budget, { throttle, quota }: Limits, time: Time): Budget {
  const gapMs = throttle ? Math.ceil((throttle.windowSeconds * 1000) / throttle.limit) : budget.gapMs;
  if (!quota) return { ...budget, gapMs };
  const told = toldCount(quota, serviceTime(budget, time));
  const windowMs = quota.windowSeconds * 1000;
  // Without a count of its own, a day is read as for a service that tells nothing: its borders are unknown.
  const safeMs = !told && windowMs >= DAY_MS ? windowMs + 3_600_000 : windowMs;
  return { ...budget, gapMs, quota: { limit: quota.limit, windowMs: safeMs }, told };
}

function toldCount({ remaining, resetSeconds, windowSeconds }: Limit, service: number): Budget['told'] {
  if (remaining === null || resetSeconds === null) return null;
  // The count was taken up to a second after the `Date` it came with says.
  const resetAtService = service + resetSeconds * 1000 + DATE_RESOLUTION_MS;
  return { remaining, resetAtService, windowMs: windowSeconds * 1000 };
}

/** The stricter of the ledger and the service's own count. */
function remainingAt(budget: Budget, service: number): number {
  const { limit } = budget.quota;
  const byLedger = limit > LEDGER_LIMIT ? limit : limit - counted(budget, service).length;
  const byService = budget.told && service < budget.told.resetAtService ? budget.told.remaining : limit;
  return Math.max(0, Math.min(byLedger, byService));
}

/** The sends in the window: the service's own where it tells its borders, else any that is younger than the window. */
function counted(budget: Budget, service: number) {
  const { told, quota } = budget;
  if (!told) return budget.sends.filter((send) => send.atService + quota.windowMs > service);
  const start = windowStart(told, service);
  return budget.sends.filter((send) => send.atService >= start);
}

/** When the service's own window began that `service` lies in. */
function windowStart({ resetAtService, windowMs }: NonNullable<Budget['told']>, service: number): number {
  return resetAtService + Math.floor((service - resetAtService) / windowMs) * windowMs;
}

/** The sends that any reading of the quota may still count, by time that certainly passed at the service. */
function kept(budget: Budget, time: Time) {
  const { evidence, quota, sends } = budget;
  const certain = evidence && evidence.lifetime !== time.lifetime ? evidence.service : serviceTime(budget, time);
  const longest = Math.max(quota.windowMs, SAFE_DAY_MS);
  return sends.filter((send) => send.atService + longest > certain).slice(-LEDGER_LIMIT);
}
