import { type Clicks, startClicks } from '../clicks/start-clicks.ts';
import { openBlockedHosts } from '../config/blocked-hosts-file.ts';
import type { Config } from '../config/environment.ts';
import { createDomainFinder, domainNames, foldCode } from '../domain/links/short-codes.ts';
import { createNetworkHasher } from '../http/client-address.ts';
import { type HttpServer, type HttpTimeouts, startHttpServer } from '../http/http-server.ts';
import { createRequestLog, createThrottledLog } from '../log/log.ts';
import { runMaintenance, runPeriodically, startHeartbeat } from '../maintenance/maintenance.ts';
import { createMetrics, createMetricsListener } from '../metrics/prometheus.ts';
import { createPages } from '../redirects/error-pages.ts';
import { createGuessingLimit } from '../redirects/guessing-limit.ts';
import { createLinkCache } from '../redirects/link-cache.ts';
import { createRedirectListener, newRedirectCounts } from '../redirects/redirect-handler.ts';
import { SettingError } from '../store/store-errors.ts';
import { createWebListener, type WebAppServices } from './web-app.ts';

export interface ServiceParts extends Pick<WebAppServices, 'store' | 'clock' | 'random' | 'log' | 'version'> {
  config: Config;
  /** Returns the milliseconds since any fixed moment. Unlike `clock`, cannot be set. */
  monotonic?: () => number;
  /** Called if a newer version of Terse has migrated the database. This process must then stop. */
  onOutdated?(error: Error): void;
}

export interface Service {
  /** Addresses on which the servers listen, and public origins of the service. */
  addresses: { api: string; short: string; metrics: string | null; baseUrl: string; shortBaseUrl: string };
  /**
   * Stops the service. It accepts no new connections, completes open requests, and closes the database. This function
   * can be called more than once.
   *
   * @returns false if stopping took too long; unfinished work may then keep the process alive
   */
  stop(): Promise<boolean>;
  clicks: Pick<Clicks, 'settle' | 'stats'>;
}

/** All timeouts and intervals of the service, in milliseconds. */
export interface Timeouts extends HttpTimeouts {
  /** Maximum time for storing the last clicks and closing the database when the service stops. */
  finish: number;
  maintenance: number;
  /** Interval at which the file of blocked hosts is checked for changes, which must take effect within a second. */
  watch: number;
}

export const TIMEOUTS: Timeouts = {
  headers: 10_000,
  // Also limits the upload of a file with 32 MiB.
  request: 300_000,
  check: 5_000,
  // Must be longer than the timeouts of proxies and browsers, so that clients close idle connections first. If the
  // server closed an idle connection first, a request that is already on its way could be lost.
  keepAlive: 120_000,
  unread: 900_000,
  drain: 500,
  stop: 10_000,
  finish: 10_000,
  maintenance: 3_600_000,
  watch: 900,
};

/** Maximum number of links that a process caches, about 2 MB. */
const CACHED_LINKS = 10_000;

/** Milliseconds between two log lines about failed redirects. If the database is unavailable, every lookup fails. */
const FAILURE_LOG_INTERVAL = 60_000;

/**
 * Starts the service. It listens as soon as it can handle requests.
 *
 * @throws ConfigError, SettingError or the error of the operating system if the service cannot start
 */
export async function startService(parts: ServiceParts, timeouts: Timeouts = TIMEOUTS): Promise<Service> {
  const { config, store, clock, random, log, monotonic } = parts;
  /** Functions that end the parts of the service, in the order in which the parts were started. */
  const ends: (() => unknown)[] = [() => store.close()];
  const servers: HttpServer[] = [];
  const pendingWork = new Set<Promise<void>>();
  const stopping = new AbortController();
  let stopped: Promise<boolean> | null = null;

  /** Ends all parts of the service that answer no requests. The last part to start is the first to end. */
  async function finish(): Promise<true> {
    await Promise.all(pendingWork);
    for (const end of ends.toReversed()) await end();
    return true;
  }

  async function stop(): Promise<boolean> {
    stopping.abort();
    await Promise.all(servers.map((server) => server.stop()));
    const finished = finish();
    // Uses one timeout for all steps, because an unresponsive database delays every step.
    const { promise: timedOut, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(resolve, timeouts.finish, false);
    const isFinished = await Promise.race([finished, timedOut]).finally(() => clearTimeout(timer));
    if (!isFinished) {
      finished.catch((error) => log('error', 'the service could not be stopped cleanly', { error }));
      log('warn', 'stopping took too long');
    }
    return isFinished;
  }

  async function start(): Promise<Service> {
    const sendPage = createPages();
    const removedHosts = await findRemovedDomains(parts);
    const blocked =
      config.blockedHostsFile === null ? null : openBlockedHosts(config.blockedHostsFile, timeouts.watch, log);
    if (blocked) ends.push(blocked.close);
    if (store.servingProcesses) ends.push(await startHeartbeat(store.servingProcesses, parts));
    const clicks = await startClicks(parts);
    ends.push(clicks.stop);

    const redirectCounts = newRedirectCounts();
    const metrics =
      config.metricsListen && createMetrics({ version: parts.version, redirectCounts, clicks: clicks.stats });
    const logRequest = createRequestLog(log, metrics?.observeRequest);
    const onMalformed = (status: number) => logRequest({ method: null, route: null, status, seconds: 0, limit: null });
    const fold = config.foldsCase ? foldCode : null;
    const links = createLinkCache(store.links, { most: CACHED_LINKS });
    const failureLog = createThrottledLog(FAILURE_LOG_INTERVAL, (times, error) =>
      log('error', 'a redirect failed', { times, error }),
    );
    const [first, ...others] = config.shortBaseUrls;
    const onMalformedRedirect = () => {
      redirectCounts.malformed += 1;
    };
    const createRedirects = (origin: string) =>
      createRedirectListener({
        links,
        domainOf: createDomainFinder([first ?? origin, ...others], removedHosts),
        fold,
        clock,
        limiter: createGuessingLimit(createNetworkHasher(config.trustedProxies, log, random), monotonic),
        isBlocked: blocked?.blocksUrl ?? null,
        counts: redirectCounts,
        clicks,
        sendPage,
        homeUrl: config.homeUrl,
        forwardsQuery: config.forwardQuery,
        maxUrlBytes: config.maxUrlBytes,
        onError: (error) => failureLog.add(1, error),
      });
    const shortServer = await startHttpServer(config.shortListen, createRedirects, timeouts, onMalformedRedirect);
    servers.push(shortServer);

    const shortBaseUrl = first ?? shortServer.origin;
    const createWeb = (origin: string) =>
      createWebListener({
        ...parts,
        baseUrl: config.baseUrl ?? origin,
        shortBaseUrls: [shortBaseUrl, ...others],
        hasOtherDomains: others.length > 0 || removedHosts.length > 0,
        isHostBlocked: blocked?.blocks ?? null,
        forgetLink: links.forget,
        logRequest,
        onMalformed,
        holdStop(work) {
          pendingWork.add(work);
          work.finally(() => pendingWork.delete(work));
        },
        stopping: stopping.signal,
      });
    const webServer = await startHttpServer(config.listen, createWeb, timeouts, onMalformed);
    servers.push(webServer);

    const metricsServer =
      config.metricsListen && metrics
        ? await startHttpServer(config.metricsListen, () => createMetricsListener(metrics), timeouts)
        : null;
    if (metricsServer) ends.push(metricsServer.stop);
    const upkeep = () => runMaintenance({ store, clock, log, stopping: stopping.signal });
    ends.push(runPeriodically(timeouts.maintenance, upkeep, 'now'));
    return {
      addresses: {
        api: webServer.origin,
        short: shortServer.origin,
        metrics: metricsServer?.origin ?? null,
        baseUrl: config.baseUrl ?? webServer.origin,
        shortBaseUrl,
      },
      stop() {
        stopped ??= stop();
        return stopped;
      },
      clicks,
    };
  }

  return start().catch(async (error) => {
    await stop();
    throw error;
  });
}

/**
 * Returns the hosts that have links but are no longer in the settings. Logs a warning for each of these hosts.
 *
 * @throws SettingError if links on the default domain were created while another domain was the default
 */
async function findRemovedDomains({ config, store, log }: ServiceParts): Promise<string[]> {
  const [first, ...others] = config.shortBaseUrls;
  const listed = first === undefined ? [] : domainNames([first, ...others]);
  const used = await store.links.hosts();
  if (listed[0] !== undefined && used.includes(listed[0])) {
    throw new SettingError(
      `${listed[0]} is the first address of the short URLs, but links were created on it while another address was the first. Put the earlier first address first again in TERSE_SHORT_BASE_URL.`,
    );
  }
  const removed = used.filter((host) => !listed.includes(host));
  for (const host of removed) {
    log('warn', 'this domain has links, but TERSE_SHORT_BASE_URL does not list it, so its short URLs do not work', {
      host,
    });
  }
  return removed;
}
