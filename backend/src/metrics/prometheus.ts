import type { RequestListener } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ClickStats } from '../clicks/start-click-counting.ts';
import { pathIn } from '../domain/links/short-codes.ts';
import { ApiError } from '../http/api-error.ts';
import { sendError } from '../http/malformed-requests.ts';
import type { RedirectCounts } from '../redirects/redirect-handler.ts';
import type { Store } from '../store/interface/store.ts';
import { timedStore } from './timed-store.ts';

/** One answer of the API host. */
export interface SeenRequest {
  method: string;
  /** The path as it is declared, with names for its parameters; null where nothing answers there. */
  route: string | null;
  status: number;
  seconds: number;
  /** The limit that refused it. */
  limit: string | null;
}

export interface Metrics {
  request(seen: SeenRequest): void;
  /** The same store, each operation timed. */
  timed(store: Store): Store;
  contentType: string;
  /** Everything in Prometheus's text format. */
  text(): Promise<string>;
}

export interface MetricSources {
  version: string;
  redirectCounts: RedirectCounts;
  clicks(): ClickStats;
}

/** In seconds: from a read out of memory to a commit that waits for the disk, and beyond. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']);

/**
 * The service's metrics. All values of labels come from the program itself, so that clients cannot multiply them, and none
 * identifies a link, a key or a client. Redirects are counted in plain numbers, which are read when metrics are collected.
 */
export function createMetrics({ version, redirectCounts, clicks }: MetricSources): Metrics {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  collectDefaultMetrics({ register: registry });

  new Gauge({
    name: 'terse_build_info',
    help: 'Always 1; the label is the version of Terse.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
  counterOf(
    'terse_redirects_total',
    'Answered requests for short URLs, by how they ended.',
    'outcome',
    () => redirectCounts,
  );
  counterOf('terse_clicks_lost_total', 'Clicks answered that will not be counted.', null, () => clicks().lost);
  new Gauge({
    name: 'terse_click_journal_bytes',
    help: 'Bytes of the journals of clicks on disk: what waits to be counted, and up to a minute more.',
    registers,
    collect() {
      this.set(clicks().journalBytes);
    },
  });
  const requests = new Histogram({
    name: 'terse_http_request_duration_seconds',
    help: 'How long answers of the API and the dashboard took, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers,
  });
  const limited = new Counter({
    name: 'terse_limit_refusals_total',
    help: 'Requests that a limit refused, by the limit.',
    labelNames: ['limit'],
    registers,
  });
  const operations = new Histogram({
    name: 'terse_store_duration_seconds',
    help: 'How long operations of the store took, failed ones included.',
    labelNames: ['operation'],
    buckets: BUCKETS,
    registers,
  });

  /** A counter that is kept elsewhere, as one number or one per label, and read when metrics are collected. */
  function counterOf(name: string, help: string, label: string | null, read: () => number | RedirectCounts): void {
    new Counter({
      name,
      help,
      labelNames: label === null ? [] : [label],
      registers,
      collect() {
        this.reset();
        const now = read();
        if (typeof now === 'number') this.inc(now);
        else for (const [value, count] of Object.entries(now)) this.inc({ [label ?? '']: snakeCase(value) }, count);
      },
    });
  }

  return {
    request({ method, route, status, seconds, limit }) {
      const labels = {
        method: METHODS.has(method) ? method : 'other',
        route: route ?? 'none',
        status: `${Math.floor(status / 100)}xx`,
      };
      requests.observe(labels, seconds);
      if (limit !== null) limited.inc({ limit });
    },
    timed: (store) => timedStore(store, (operation, seconds) => operations.observe({ operation }, seconds)),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const OWN_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/** Answers `GET /metrics`, and nothing else. */
export function metricsListener(metrics: Metrics): RequestListener {
  return async (request, response) => {
    if (pathIn(request.url ?? '') !== '/metrics') return void sendError(response, new ApiError('not_found'));
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return void sendError(response, new ApiError('method_not_allowed', { headers: { Allow: 'GET, HEAD' } }));
    }
    const body = await metrics.text();
    response.writeHead(200, { ...OWN_HEADERS, 'Content-Type': metrics.contentType }).end(body);
  };
}
