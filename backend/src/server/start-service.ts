import type { RequestListener } from 'node:http';
import { type Clicks, startClicks } from '../clicks/start-clicks.ts';
import { type BlockedHosts, openBlockedHosts } from '../config/blocked-hosts-file.ts';
import type { Config } from '../config/environment.ts';
import { foldCode } from '../domain/links/short-codes.ts';
import { createDomainFinder } from '../domain/links/short-domains.ts';
import { ApiError } from '../http/api-error.ts';
import { createNetworkHasher } from '../http/client-address.ts';
import { toNodeListener } from '../http/hono-adapter.ts';
import { API_HEADER_BYTES, createListener } from '../http/listener.ts';
import { type OnRefused, sendError } from '../http/malformed-requests.ts';
import { createRequestLog, malformedRequest } from '../http/request-log.ts';
import { createHostFiles } from '../http/robots-and-security-txt.ts';
import { TIMEOUTS, type Timeouts, withBodyTimeout } from '../http/timeouts.ts';
import { createThrottledLog } from '../log/throttled-log.ts';
import { startHeartbeat } from '../maintenance/process-heartbeat.ts';
import { purge } from '../maintenance/purge.ts';
import { rollUpOldDays } from '../maintenance/roll-up-days-to-months.ts';
import { runPeriodically } from '../maintenance/run-periodically.ts';
import { createMetrics, metricsListener } from '../metrics/prometheus.ts';
import { createPages } from '../redirects/error-pages.ts';
import { createGuessingLimit } from '../redirects/guessing-limit.ts';
import { createLinkCache, uncachedLinks } from '../redirects/link-cache.ts';
import { openVisitorFiles, type VisitorFiles } from '../redirects/operator-files.ts';
import {
  type ClickRecorder,
  createRedirectListener,
  newRedirectCounts,
  type RedirectCounts,
} from '../redirects/redirect-handler.ts';
import { findRemovedDomains } from './removed-domains.ts';
import { createWebApp, type WebAppServices } from './web-app.ts';

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
  reload(): void;
  clicks: Pick<Clicks, 'settle' | 'runMaintenance' | 'stats'>;
}

export async function startService(parts: ServiceParts, timeouts: Timeouts = TIMEOUTS): Promise<Service> {
  const { config, store, clock, log } = parts;
  const visitorFiles = openVisitorFiles(config, clock(), log);
  const removedHosts = await findRemovedDomains(parts);
  const blocked = openBlockedHosts(config.blockedHostsFile, timeouts.watch, log);
  const heartbeat = await startHeartbeat(store.servingProcesses, parts);
  const clicks = await startClicks(parts).catch(async (error) => {
    await heartbeat.end();
    throw error;
  });
  const redirectCounts = newRedirectCounts();
  const metrics =
    config.metricsListen && createMetrics({ version: parts.version, redirectCounts, clicks: clicks.stats });
  const logRequest = createRequestLog(log, (request) => metrics?.observeRequest(request));
  const onMalformed = (status: number) => logRequest(malformedRequest(status));
  // The handlers need the addresses of both servers, which are known only after the servers have started.
  let handlers: Handlers | null = null;
  const handlerOf = (host: keyof Handlers): RequestListener => {
    return (request, response) => {
      if (handlers) handlers[host](request, response);
      else sendError(response, new ApiError('unavailable'));
    };
  };
  const api = createListener(
    withBodyTimeout(handlerOf('api'), timeouts.request),
    { ...timeouts, request: timeouts.upload },
    { maxHeaderBytes: API_HEADER_BYTES, onRefused: onMalformed },
  );
  const short = createListener(handlerOf('redirects'), timeouts, {
    readsBodies: false,
    onRefused() {
      redirectCounts.malformed += 1;
    },
  });
  const metricsServer = metrics && createListener(metricsListener(metrics), timeouts);
  const listening = [api.listen(config.listen), short.listen(config.shortListen)];
  if (metricsServer && config.metricsListen) listening.push(metricsServer.listen(config.metricsListen));
  await Promise.all(listening).catch(async (error) => {
    blocked.close();
    for (const listener of [api, short, metricsServer]) await listener?.stop();
    await clicks.stop();
    await heartbeat.end();
    throw error;
  });

  let stopping: Promise<boolean> | null = null;
  const isStopping = () => stopping !== null;
  const baseUrl = config.baseUrl ?? api.publicAddress();
  const [shortBaseUrl = short.publicAddress(), ...others] = config.shortBaseUrls;
  const shortBaseUrls = [shortBaseUrl, ...others] as const;
  const pendingWork = new Set<Promise<void>>();
  const holdStop = (work: Promise<void>) => {
    pendingWork.add(work);
    work.finally(() => pendingWork.delete(work));
  };
  handlers = createHandlers({
    ...parts,
    baseUrl,
    shortBaseUrls,
    hasOtherDomains: others.length > 0 || removedHosts.length > 0,
    removedHosts,
    blocked,
    visitorFiles,
    redirectCounts,
    logRequest,
    onMalformed,
    clicks,
    holdStop,
    isStopping,
  });

  const purging = runPeriodically(timeouts.maintenance, () => purge(store, clock, log, isStopping), 'now');
  const rollingUp = runPeriodically(
    timeouts.maintenance,
    () => rollUpOldDays(store, { ...config, log, isStopping }),
    'now',
  );

  async function stop(): Promise<boolean> {
    blocked.close();
    await Promise.all([api.stop(), short.stop()]);
    const finished = finish().then(() => true);
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

  async function finish(): Promise<void> {
    await Promise.all(pendingWork);
    await Promise.all([clicks.stop(), purging.end(), rollingUp.end()]);
    if (metricsServer) await metricsServer.stop();
    await heartbeat.end();
    await store.close();
  }

  return {
    addresses: {
      api: api.address(),
      short: short.address(),
      metrics: metricsServer?.address() ?? null,
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

interface Handlers {
  api: RequestListener;
  redirects: RequestListener;
}

interface HandlerParts extends Omit<WebAppServices, 'config' | 'blocked' | 'visitorFiles' | 'forgetLink'> {
  config: WebAppServices['config'];
  monotonic?: () => number;
  /** Hosts that have links but are no longer in the settings. */
  removedHosts: readonly string[];
  blocked: Pick<BlockedHosts, 'blocks' | 'blocksUrl'>;
  visitorFiles: VisitorFiles;
  redirectCounts: RedirectCounts;
  clicks: ClickRecorder;
  onMalformed: OnRefused;
}

/** Maximum number of links that a process caches, about 2 MB. */
const CACHED_LINKS = 10_000;

/** Milliseconds between two log lines about failed redirects. If the database is unavailable, every lookup fails. */
const FAILURE_LOG_INTERVAL = 60_000;

/** Milliseconds between two log lines about unknown hosts. Programs that scan the Internet also cause such requests. */
const UNKNOWN_HOST_LOG_INTERVAL = 3_600_000;

const UNKNOWN_HOST =
  'short URLs were requested on a host that TERSE_SHORT_BASE_URLS does not list. If this is not the host that visitors ' +
  'use, the proxy must pass on their Host header: in nginx, set "proxy_set_header Host $host;"';

function createHandlers(parts: HandlerParts): Handlers {
  const {
    config,
    baseUrl,
    shortBaseUrls,
    removedHosts,
    store,
    clock,
    monotonic = () => performance.now(),
    random,
    log,
    blocked,
    visitorFiles,
    redirectCounts,
    clicks,
  } = parts;
  const fold = config.caseInsensitiveCodes ? foldCode : null;
  const links =
    config.database.engine === 'postgres'
      ? createLinkCache(store.links, { most: CACHED_LINKS, fold })
      : uncachedLinks(store.links);
  const failureLog = createThrottledLog(FAILURE_LOG_INTERVAL, (times, error) =>
    log('error', 'a redirect failed', { times, error }),
  );
  const unknownHostLog = createThrottledLog(UNKNOWN_HOST_LOG_INTERVAL, (times, host) =>
    log('warn', UNKNOWN_HOST, { times, host }),
  );
  const redirects = createRedirectListener({
    links,
    domainOf: createDomainFinder(shortBaseUrls, removedHosts),
    fold,
    clock,
    limiter: createGuessingLimit(createNetworkHasher(config, log, random), monotonic),
    isBlocked: blocked.blocksUrl,
    counts: redirectCounts,
    clicks,
    sendPage: createPages(visitorFiles.ownPages),
    homeUrl: visitorFiles.homeUrl,
    forwardsQuery: config.forwardQuery,
    maxUrlBytes: config.maxUrlBytes,
    hostFile: createHostFiles(visitorFiles, clock),
    onError: (error) => failureLog.add(1, error),
    onUnknownHost: (header) => unknownHostLog.add(1, header),
  });
  const webApp = createWebApp({ ...parts, forgetLink: links.forget });
  return { api: toNodeListener(webApp.fetch, { baseUrl, log, onMalformed: parts.onMalformed }), redirects };
}
