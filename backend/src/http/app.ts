import type { RequestListener } from 'node:http';
import type { BlockedHosts } from '../config/blocked-hosts.ts';
import type { Config } from '../config/config.ts';
import type { VisitorFiles } from '../config/visitor-files.ts';
import type { Clock } from '../domain/clock.ts';
import type { Random } from '../domain/random.ts';
import type { Log } from '../log/log.ts';
import { createThrottledLog } from '../log/throttled-log.ts';
import { createEnumerationLimiter } from '../routes/enumeration-limiter.ts';
import { createFollowedLinks } from '../routes/followed-links.ts';
import { type ClickRecorder, createRedirectListener } from '../routes/redirect.ts';
import type { RedirectCounts } from '../routes/redirect-counts.ts';
import { createHostFiles } from '../routes/visitor-pages/host-files.ts';
import { createPages } from '../routes/visitor-pages/page.ts';
import { createLinkCache } from '../store/link-cache.ts';
import type { Store } from '../store/store.ts';
import { createApiHost } from './api-host.ts';
import { createApiListener } from './api-listener.ts';
import type { OnRefused } from './client-errors.ts';
import { clientNetworks } from './client-networks.ts';
import type { RequestLog } from './request-log.ts';

/** What the service is made of; everything that reaches outside is passed in. */
export interface Parts {
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

export function createApp(parts: Parts): App {
  const { config, baseUrl, store, clock, random, log, blocked, visitorFiles, redirectCounts, clicks, onMalformed } =
    parts;
  const links = createLinkCache(store.links, { most: config.cachedLinks });
  const failures = createThrottledLog(LOG_EVERY, (times, error) => log('error', 'a redirect failed', { times, error }));
  const redirects = createRedirectListener({
    links,
    followed: createFollowedLinks(clock),
    clock,
    limiter: createEnumerationLimiter(clientNetworks(config, log, random), clock),
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
