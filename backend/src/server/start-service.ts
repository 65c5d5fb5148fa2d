import type { RequestListener } from 'node:http';
import { type Clicks, startClickCounting } from '../clicks/start-click-counting.ts';
import { type BlockedHosts, openBlockedHosts } from '../config/blocked-hosts-file.ts';
import type { Config } from '../config/environment.ts';
import type { Clock, Random } from '../domain/clock-and-random.ts';
import { clientNetworks } from '../http/client-address.ts';
import { createApiListener } from '../http/hono-adapter.ts';
import { createListener } from '../http/listener.ts';
import type { OnRefused } from '../http/malformed-requests.ts';
import { createRequestLog, malformedRequest, type RequestLog } from '../http/request-log.ts';
import { createHostFiles } from '../http/robots-and-security-txt.ts';
import { TIMEOUTS, type Timeouts, withDeadline } from '../http/timeouts.ts';
import type { Log } from '../log/json-log.ts';
import { createThrottledLog } from '../log/throttled-log.ts';
import { startHeartbeat } from '../maintenance/process-heartbeat.ts';
import { purge } from '../maintenance/purge.ts';
import { rollUpOldDays } from '../maintenance/roll-up-days-to-months.ts';
import { runPeriodically } from '../maintenance/run-periodically.ts';
import { createMetrics, metricsListener } from '../metrics/prometheus.ts';
import { createPages } from '../redirects/error-pages.ts';
import { createFollowedLinks, createGuessingLimit } from '../redirects/guessing-limit.ts';
import { createLinkCache } from '../redirects/link-cache.ts';
import { openVisitorFiles, type VisitorFiles } from '../redirects/operator-files.ts';
import {
  type ClickRecorder,
  createRedirectListener,
  newRedirectCounts,
  type RedirectCounts,
} from '../redirects/redirect-handler.ts';
import type { Store } from '../store/interface/store.ts';
import { createApiHost } from './web-app.ts';

/** What the service is made of; everything that reaches outside is passed in. */
export interface ServiceParts {
  config: Pick<
    Config,
    | 'cachedLinks'
    | 'limits'
    | 'accountLimits'
    | 'allowPrivateTargets'
    | 'trustedProxies'
    | 'proxyHeader'
    | 'database'
    | 'journalDirectory'
  >;
  /** Origins the public sees, without a trailing slash. */
  baseUrl: string;
  shortBaseUrl: string;
  store: Store;
  clock: Clock;
  random: Random;
  log: Log;
  blocked: Pick<BlockedHosts, 'blocks' | 'blocksUrl'>;
  visitorFiles: VisitorFiles;
  redirectCounts: RedirectCounts;
  clicks: ClickRecorder;
  logRequest: RequestLog;
  /** Notes what the API answered though it never became a request. */
  onMalformed: OnRefused;
  version: string;
  /** Makes a stop wait for work that goes on after its answer. */
  holdStop(work: Promise<void>): void;
  isStopping(): boolean;
}

/** What answers on each host. */
export interface App {
  api: RequestListener;
  redirects: RequestListener;
}

/** With the database away every redirect fails; one line in the log per minute is enough. In milliseconds. */
const LOG_EVERY = 60_000;

export function createApp(parts: ServiceParts): App {
  const { config, baseUrl, store, clock, random, log, blocked, visitorFiles, redirectCounts, clicks, onMalformed } =
    parts;
  const links = createLinkCache(store.links, { most: config.cachedLinks });
  const failures = createThrottledLog(LOG_EVERY, (times, error) => log('error', 'a redirect failed', { times, error }));
  const redirects = createRedirectListener({
    links,
    followed: createFollowedLinks(clock),
    clock,
    limiter: createGuessingLimit(clientNetworks(config, log, random), clock),
    isBlocked: blocked.blocksUrl,
    counts: redirectCounts,
    clicks,
    sendPage: createPages(visitorFiles.ownPages),
    homeUrl: visitorFiles.homeUrl,
    hostFile: createHostFiles(visitorFiles, clock),
    onError: (error) => failures.add(1, error),
  });
  return { api: createApiListener(createApiHost(parts, links).fetch, { baseUrl, log, onMalformed }), redirects };
}

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
export type StartParts = Pick<ServiceParts, 'store' | 'clock' | 'random' | 'log' | 'version'> & {
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
  const clicks = await startClickCounting(parts).catch(async (error) => {
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

  const housekeeping = runPeriodically(timeouts.housekeeping, () => purge(store, clock, log, isStopping), 'now');
  const tending = runPeriodically(
    timeouts.housekeeping,
    () => rollUpOldDays(store, { ...config, log, isStopping }),
    'now',
  );

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
