import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../../test/e2e/harness/until.ts';
import type { Services } from './faulty-services.ts';
import { brokenAtIdempotent, brokenAtSpecOnly, strayKeys } from './find-broken-promises.ts';
import type { RunState } from './run-state.ts';

/** Time limit in milliseconds for sending all requests to a fault-free service with idempotency keys. */
const QUEUE_TIMEOUT = 300_000;
/** Interval in milliseconds at which the simulated user looks for requests that need a decision. */
const CHECK_INTERVAL = 2_000;

/**
 * Waits until the extension has sent all requests in the queue `idempotent`. Retries requests with an unknown result,
 * as a user would. Returns a message for each problem found.
 */
export async function untilEmpty({ user, services, idempotent }: RunState): Promise<string[]> {
  const { connectionId, orders } = idempotent;
  const left = async () => (await user.disk()).requests.filter(({ id }) => orders.some((order) => order.id === id));
  const isEmpty = async () => {
    const requests = await left();
    for (const { id, state } of requests) {
      if (state === 'unanswered' || state === 'undecided') await user.ask({ type: 'retry', id });
    }
    if (requests.length > 0) await user.ask({ type: 'try-now', connectionId });
    if (requests.length > 0) await pause(CHECK_INTERVAL);
    return requests.length === 0;
  };
  await until('the queue to be empty', isEmpty, QUEUE_TIMEOUT).catch(() => {});
  const disk = await user.disk();
  return [...brokenAtIdempotent(orders, disk, services.backend.links()), ...(await wrongTargets(disk.links, services))];
}

async function wrongTargets(links: { url: string; shortUrl: string }[], { backend }: Services): Promise<string[]> {
  const own = links.filter(({ shortUrl }) => shortUrl.startsWith(backend.shortBaseUrl));
  const complaints: string[] = [];
  for (const { url, shortUrl } of own) {
    const answer = await fetch(shortUrl, { redirect: 'manual' });
    const target = answer.headers.get('location');
    if (target !== url) complaints.push(`${shortUrl} redirects to ${target}, but was created for ${url}`);
  }
  return complaints;
}

/**
 * Resends every request with an unknown result, as a user would. Waits up to a minute for the service to receive
 * these requests.
 */
export async function sendUndecidedAgain({ user, services, specOnly, sentAgain }: RunState): Promise<void> {
  const undecided = (await user.disk()).requests.filter(
    ({ id, state }) => state === 'undecided' && specOnly.orders.some((order) => order.id === id),
  );
  for (const { id, url } of undecided) {
    sentAgain.set(url, (sentAgain.get(url) ?? 0) + 1);
    await user.ask({ type: 'retry', id });
  }
  const before = services.specOnly.received.length;
  const isSent = () => services.specOnly.received.length >= Math.min(20, before + undecided.length);
  await until('the repeated requests to be sent', isSent, 60_000).catch(() => {});
}

/**
 * Checks the service that does not support idempotency keys. Reports requests that were lost, duplicated or sent too
 * early.
 */
export async function checkSpecOnly({ user, services, specOnly, sentAgain }: RunState): Promise<string[]> {
  const { received, made } = services.specOnly;
  // Reads the service's records before the extension's data, so that links created in between do not look like
  // faults.
  const seen = { received: [...received], made: [...made], sentAgain, stall: services.stall() };
  return brokenAtSpecOnly(specOnly.orders, await user.disk(), seen);
}

export function checkKeys({ backend, gate, specOnly }: Services): string[] {
  return [
    ...strayKeys('The backend', gate.authorizations, backend.apiKey),
    ...strayKeys('The specification-only service', specOnly.authorizations, specOnly.apiKey),
  ];
}
