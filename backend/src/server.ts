import type { RequestListener } from 'node:http';
import { type App, createApp, type Parts } from './app.ts';
import { openBlockedHosts } from './blocked-hosts.ts';
import { type Clicks, startClicks } from './clicks/index.ts';
import type { Config } from './config.ts';
import { KEPT_FOR } from './domain/idempotency.ts';
import { address, close, createListener, listen, publicAddress } from './listener.ts';
import { newRedirectTally } from './routes/redirect-tally.ts';
import { TIMEOUTS, type Timeouts } from './timeouts.ts';

export interface Service {
  /** Where the listeners really are, and what the public is told. */
  addresses: { api: string; short: string; baseUrl: string; shortBaseUrl: string };
  /** Takes nothing new, finishes what is under way, closes the store. Safe to call twice. */
  stop(): Promise<void>;
  /** Reads the block list again. */
  reload(): void;
  clicks: Pick<Clicks, 'settle' | 'tend' | 'stats'>;
}

/** Starts both listeners on a store that is open. */
export async function startService(
  parts: Omit<Parts, 'baseUrl' | 'shortBaseUrl' | 'isStopping' | 'config' | 'blocked' | 'tally' | 'clicks'> & {
    config: Config;
  },
  timeouts: Timeouts = TIMEOUTS,
): Promise<Service> {
  const { config, store, clock, log } = parts;
  const blocked = openBlockedHosts(config.blockedHostsFile, timeouts.watch, log);
  const clicks = await startClicks(parts);
  const app = Promise.withResolvers<App>();
  const api = createListener(part(app.promise, 'api'), timeouts);
  const short = createListener(part(app.promise, 'redirects'), timeouts);
  await Promise.all([listen(api, config.listen), listen(short, config.shortListen)]).catch(async (error) => {
    blocked.close();
    api.close();
    short.close();
    await clicks.stop();
    throw error;
  });

  let stopping: Promise<void> | null = null;
  const baseUrl = config.baseUrl ?? publicAddress(api);
  const shortBaseUrl = config.shortBaseUrl ?? publicAddress(short);
  const tally = newRedirectTally();
  const isStopping = () => stopping !== null;
  app.resolve(createApp({ ...parts, baseUrl, shortBaseUrl, blocked, tally, clicks: clicks.recorder, isStopping }));

  const forgetOldAnswers = () =>
    store.submissions
      .forget(clock() - KEPT_FOR)
      .catch((error) => log('error', 'old answers were not removed', { error }));
  const housekeeping = setInterval(forgetOldAnswers, timeouts.housekeeping).unref();
  await forgetOldAnswers();

  async function stop(): Promise<void> {
    clearInterval(housekeeping);
    blocked.close();
    await Promise.all([close(api, timeouts.stop), close(short, timeouts.stop)]);
    await clicks.stop();
    await store.close();
  }
  return {
    addresses: { api: address(api), short: address(short), baseUrl, shortBaseUrl },
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
    reload: blocked.reload,
    clicks,
  };
}

/** Made before the app is, since the app is told the addresses; a request that comes in between waits. */
function part(app: Promise<App>, name: keyof App): RequestListener {
  let handle: RequestListener | null = null;
  const ready = app.then((made) => {
    handle = made[name];
    return handle;
  });
  return (request, response) => {
    if (handle) handle(request, response);
    else ready.then((late) => late(request, response));
  };
}
