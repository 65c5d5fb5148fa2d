import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { ConnectionReport } from '../../../src/messages/protocol.ts';
import { startBackend } from '../../../test/e2e/harness/backend.ts';
import { openGate } from '../../../test/e2e/harness/proxies.ts';
import { startSpecOnlyService } from '../../../test/e2e/harness/spec-only-service.ts';
import { until } from '../../../test/e2e/harness/until.ts';
import { buildIfNeeded } from '../../start/build.ts';
import { hasBrowsers } from '../../test/steps.ts';
import { chanceFrom } from '../random-choices.ts';
import type { Findings, RandomTest } from '../random-tests.ts';
import { brokenAtIdempotent, brokenAtSpecOnly } from './find-broken-promises.ts';
import { order, performRandomEvent, type Queue, type RunState, sendAgain } from './random-events.ts';
import { type BrowserName, type SimulatedUser, startSimulatedUser } from './simulated-user.ts';

/** Number of random events per run. */
const EVENTS = 30;

/** High limits, so that only the extension's own rate limit delays requests. */
const HIGH_LIMITS = { TERSE_THROTTLE: '100', TERSE_DAILY_QUOTA: '100000' };

/**
 * Time limit in milliseconds for sending all requests to a fault-free service with idempotency keys, and the interval
 * at which the simulated user looks for requests that need a decision.
 */
const QUEUE_TIMEOUT = 300_000;
const CHECK_INTERVAL = 2_000;

/**
 * Returns a random test that fills the extension's queues and kills the browser, the background worker and the
 * service at random times.
 */
export function kills(browser: BrowserName): RandomTest {
  return {
    name: `kills-${browser}`,
    async run(seed) {
      buildIfNeeded('.');
      if (!(await hasBrowsers())) throw new Error('This test needs both browsers. See the message above.');
      return runWithKills(browser, seed);
    },
  };
}

async function runWithKills(browser: BrowserName, seed: number): Promise<Findings> {
  const [backend, service] = await Promise.all([startBackend(HIGH_LIMITS), startSpecOnlyService()]);
  const gate = await openGate(backend.baseUrl);
  const ends = [backend.kill, gate.close, service.close];
  try {
    const user = await startSimulatedUser(browser);
    ends.unshift(user.end);
    const idempotent = await connect(user, gate.baseUrl, backend.apiKey);
    const specOnly = await connect(user, service.baseUrl, service.apiKey);
    const kills = { background: 0, browser: 0, service: 0 };
    return await runOnce({ chance: chanceFrom(seed), user, backend, gate, service, idempotent, specOnly, kills });
  } finally {
    for (const end of ends) await end();
  }
}

async function connect(user: SimulatedUser, baseUrl: string, apiKey: string): Promise<Queue> {
  const message = { type: 'save-connection', connectionId: null, name: '', baseUrl, apiKey } as const;
  const reply = await user.ask<ConnectionReport>(message);
  if (!reply.ok || !reply.value.connectionId)
    throw new Error(`The connection could not be saved: ${JSON.stringify(reply)}`);
  return { connectionId: reply.value.connectionId, orders: [] };
}

async function runOnce(state: RunState): Promise<Findings> {
  const { user, gate, service, idempotent, specOnly, kills } = state;
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  // Requests are already waiting when the test first kills a process.
  for (const queue of [idempotent, specOnly]) await order(state, queue, 10);
  for (let event = 0; event < EVENTS; event += 1) await performRandomEvent(state);
  gate.manner = 'right';
  service.manner = 'right';
  await untilEmpty(state);
  delays.disable();
  // Reads the service's records before the extension's data, so that links created in between do not look like
  // faults.
  const seen = { received: [...service.received], made: [...service.made], stall: delays.max / 1e6 };
  const disk = await user.disk();
  const broken = [
    ...brokenAtIdempotent(idempotent.orders, disk, state.backend.links()),
    ...(await wrongTargets(state, disk.links)),
    ...brokenAtSpecOnly(specOnly.orders, disk, seen),
    ...strayKeys(gate.authorizations, state.backend.apiKey),
    ...strayKeys(service.authorizations, service.apiKey),
  ];
  const killed = Object.entries(kills).map(([victim, times]) => `${victim} killed ${times} times`);
  const accepted = `${idempotent.orders.length} + ${specOnly.orders.length} accepted`;
  const received = `${gate.answered.length} + ${service.received.length} requests received`;
  return { broken, summary: [accepted, ...killed, received].join(', ') };
}

/**
 * Waits until the extension has sent all requests in the queue `idempotent`. Retries requests with an unknown result,
 * as a user would.
 */
async function untilEmpty(state: RunState): Promise<void> {
  const { user, idempotent } = state;
  const own = new Set(idempotent.orders.map(({ id }) => id));
  const isEmpty = async () => {
    if (!(await user.disk()).requests.some(({ id }) => own.has(id))) return true;
    await sendAgain(state);
    await user.ask({ type: 'try-now', connectionId: idempotent.connectionId });
    await pause(CHECK_INTERVAL);
    return false;
  };
  await until('the queue to be empty', isEmpty, QUEUE_TIMEOUT).catch(() => {});
}

async function wrongTargets({ backend }: RunState, links: { url: string; shortUrl: string }[]): Promise<string[]> {
  const broken: string[] = [];
  for (const { url, shortUrl } of links.filter(({ shortUrl }) => shortUrl.startsWith(backend.shortBaseUrl))) {
    const target = (await fetch(shortUrl, { redirect: 'manual' })).headers.get('location');
    if (target !== url) broken.push(`${shortUrl} redirects to ${target}, but was created for ${url}`);
  }
  return broken;
}

function strayKeys(authorizations: Set<string>, apiKey: string): string[] {
  const isStray = [...authorizations].some((authorization) => authorization !== `Bearer ${apiKey}`);
  return isStray ? ['A service received an API key of another service'] : [];
}
