import type { RequestListener } from 'node:http';
import { type Clicks, startClicks } from '../clicks/index.ts';
import { openBlockedHosts } from '../config/blocked-hosts.ts';
import type { Config } from '../config/config.ts';
import { openVisitorFiles } from '../config/visitor-files.ts';
import { createMetrics } from '../metrics/index.ts';
import { metricsListener } from '../metrics/listener.ts';
import { newRedirectCounts } from '../routes/redirect-counts.ts';
import { startHeartbeat } from '../tasks/heartbeat.ts';
import { keepHouse } from '../tasks/housekeeping.ts';
import { repeat } from '../tasks/periodic.ts';
import { tendCounts } from '../tasks/tend-counts.ts';
import { type App, createApp, type Parts } from './app.ts';
import { withDeadline } from './deadlines.ts';
import { createListener } from './listener.ts';
import { createRequestLog, malformedRequest } from './request-log.ts';
import { TIMEOUTS, type Timeouts } from './timeouts.ts';

export interface Service {
  /** Where the listeners really are, and by which addresses the public knows them. */
  addresses: { api: string; short: string; metrics: string | null; baseUrl: string; shortBaseUrl: string };
  /**
   * Takes nothing new, finishes what is under way, closes the store. Safe to call twice. Resolves to false where time was
   * up before all of that was done, and something may still keep the process from ending.
   */
  stop(): Promise<boolean>;
  /** Reads the block list again. */
  reload(): void;
  clicks: Pick<Clicks, 'settle' | 'tend' | 'stats'>;
}

/** What a service is started with; it makes the other parts itself. */
export type StartParts = Pick<Parts, 'store' | 'clock' | 'random' | 'log' | 'version'> & {
  config: Config;
  /** Called where the database has become too new for this process, which should stop. */
  onOutdated?(error: Error): void;
};

/** Starts both listeners on a store that is open. */
export async function startService(parts: StartParts, timeouts: Timeouts = TIMEOUTS): Promise<Service> {
  const { config, store, clock, log } = parts;
  const visitorFiles = openVisitorFiles(config, clock(), log);
  const blocked = openBlockedHosts(config.blockedHostsFile, timeouts.watch, log);
  const heartbeat = await startHeartbeat(store.servingProcesses, parts);
  const clicks = await startClicks(parts).catch(async (error) => {
    await heartbeat.end();
    throw error;
  });
  const redirectCounts = newRedirectCounts();
  const metrics =
    config.metricsListen && createMetrics({ version: parts.version, redirectCounts, clicks: clicks.stats });
  const logRequest = createRequestLog({ metrics, log });
  const onMalformed = (status: number) => logRequest(malformedRequest(status));
  const app = Promise.withResolvers<App>();
  const api = createListener(
    withDeadline(handlerOf(app.promise, 'api'), timeouts.request),
    { ...timeouts, request: timeouts.upload },
    { onRefused: onMalformed },
  );
  const short = createListener(handlerOf(app.promise, 'redirects'), timeouts, {
    readsBodies: false,
    onRefused() {
      redirectCounts.malformed += 1;
    },
  });
  const metricsHost = metrics && createListener(metricsListener(metrics), timeouts);
  const listening = [api.listen(config.listen), short.listen(config.shortListen)];
  if (metricsHost && config.metricsListen) listening.push(metricsHost.listen(config.metricsListen));
  await Promise.all(listening).catch(async (error) => {
    blocked.close();
    for (const listener of [api, short, metricsHost]) await listener?.stop();
    await clicks.stop();
    await heartbeat.end();
    throw error;
  });

  let stopping: Promise<boolean> | null = null;
  const baseUrl = config.baseUrl ?? api.publicAddress();
  const shortBaseUrl = config.shortBaseUrl ?? short.publicAddress();
  const isStopping = () => stopping !== null;
  const underWay = new Set<Promise<void>>();
  const holdStop = (work: Promise<void>) => {
    underWay.add(work);
    work.finally(() => underWay.delete(work));
  };
  app.resolve(
    createApp({
      ...parts,
      store: metrics ? metrics.timed(store) : store,
      baseUrl,
      shortBaseUrl,
      blocked,
      visitorFiles,
      redirectCounts,
      logRequest,
      onMalformed,
      clicks: clicks.recorder,
      holdStop,
      isStopping,
    }),
  );

  const housekeeping = repeat(timeouts.housekeeping, () => keepHouse(store, clock, log, isStopping), 'now');
  const tending = repeat(timeouts.housekeeping, () => tendCounts(store, { ...config, log, isStopping }), 'now');

  async function stop(): Promise<boolean> {
    blocked.close();
    await Promise.all([api.stop(), short.stop()]);
    const finished = finish().then(() => true);
    // Not one deadline after another, behind a database that is silent.
    const { promise: late, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(resolve, timeouts.finish, false);
    const isFinished = await Promise.race([finished, late]).finally(() => clearTimeout(timer));
    if (!isFinished) {
      finished.catch((error) => log('error', 'the stop went wrong', { error }));
      log('warn', 'stopping took too long: clicks that are not counted yet wait on disk for the next process');
    }
    return isFinished;
  }

  async function finish(): Promise<void> {
    await Promise.all(underWay);
    await Promise.all([clicks.stop(), housekeeping.end(), tending.end()]);
    if (metricsHost) await metricsHost.stop();
    await heartbeat.end();
    await store.close();
  }
  return {
    addresses: {
      api: api.address(),
      short: short.address(),
      metrics: metricsHost?.address() ?? null,
      baseUrl,
      shortBaseUrl,
    },
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
    reload: blocked.reload,
    clicks,
  };
}

/** The app needs the listeners' addresses, so the listeners come first. A request that comes in between waits. */
function handlerOf(app: Promise<App>, host: keyof App): RequestListener {
  let handler: RequestListener | null = null;
  const ready = app.then((made) => {
    handler = made[host];
    return handler;
  });
  return (request, response) => {
    if (handler) handler(request, response);
    else ready.then((late) => late(request, response));
  };
}
