import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../../test/e2e/harness/until.ts';
import { brokenAtIdempotent, brokenAtSpecOnly, strayKeys } from './promises.ts';
import type { Services } from './services.ts';
import type { Story } from './story.ts';

/**
 * Maximum time in milliseconds until all requests are sent, without faults, to a service that supports idempotency
 * keys.
 */
const PATIENCE = 300_000;
/** Interval in milliseconds at which the simulated user looks for requests that need a decision. */
const LOOK_EVERY = 2_000;

/**
 * Waits without faults until all requests to the service with idempotency keys are sent. Makes decisions that a user
 * would have to make.
 */
export async function untilEmpty({ player, services, idempotent }: Story): Promise<string[]> {
  const { connectionId, orders } = idempotent;
  const left = async () => (await player.disk()).requests.filter(({ id }) => orders.some((order) => order.id === id));
  const isEmpty = async () => {
    const requests = await left();
    for (const { id, state } of requests) {
      if (state === 'unanswered' || state === 'undecided') await player.ask({ type: 'retry', id });
    }
    if (requests.length > 0) await player.ask({ type: 'try-now', connectionId });
    if (requests.length > 0) await pause(LOOK_EVERY);
    return requests.length === 0;
  };
  await until('the queue to be empty', isEmpty, PATIENCE).catch(() => {});
  const disk = await player.disk();
  return [...brokenAtIdempotent(orders, disk, services.backend.links()), ...(await misled(disk.links, services))];
}

/** Returns the links that lead to a wrong URL. */
async function misled(links: { url: string; shortUrl: string }[], { backend }: Services): Promise<string[]> {
  const own = links.filter(({ shortUrl }) => shortUrl.startsWith(backend.shortBaseUrl));
  const complaints: string[] = [];
  for (const { url, shortUrl } of own) {
    const answer = await fetch(shortUrl, { redirect: 'manual' });
    const target = answer.headers.get('location');
    if (target !== url) complaints.push(`${shortUrl} leads to ${target}, and was made for ${url}`);
  }
  return complaints;
}

/** Sends every uncertain request again, as the user would, and waits a minute for the results. */
export async function sendUndecidedAgain({ player, services, specOnly, sentAgain }: Story): Promise<void> {
  const undecided = (await player.disk()).requests.filter(
    ({ id, state }) => state === 'undecided' && specOnly.orders.some((order) => order.id === id),
  );
  for (const { id, url } of undecided) {
    sentAgain.set(url, (sentAgain.get(url) ?? 0) + 1);
    await player.ask({ type: 'retry', id });
  }
  const before = services.specOnly.received.length;
  const isSent = () => services.specOnly.received.length >= Math.min(20, before + undecided.length);
  await until('what was asked for again to be sent', isSent, 60_000).catch(() => {});
}

/** Checks that the extension kept its promises at the service without idempotency keys. */
export async function checkSpecOnly({ player, services, specOnly, sentAgain }: Story): Promise<string[]> {
  const { received, made } = services.specOnly;
  // Reads the service before the disk, so that links which are created in between do not look like faults.
  const seen = { received: [...received], made: [...made], sentAgain, stall: services.stall() };
  return brokenAtSpecOnly(specOnly.orders, await player.disk(), seen);
}

export function checkKeys({ backend, gate, specOnly }: Services): string[] {
  return [
    ...strayKeys('The backend', gate.authorizations, backend.apiKey),
    ...strayKeys('The service with the specification alone', specOnly.authorizations, specOnly.apiKey),
  ];
}
