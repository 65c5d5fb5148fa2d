import type { RequestListener } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ClickStats } from '../clicks/start-clicks.ts';
import type { AnsweredRequest } from '../log/log.ts';
import type { RedirectCounts } from '../redirects/redirect-handler.ts';

export type Metrics = ReturnType<typeof createMetrics>;

export interface MetricSources {
  version: string;
  redirectCounts: RedirectCounts;
  clicks(): ClickStats;
}

/**
 * Upper bounds of the histogram buckets, in seconds. The first bucket is for reads from memory, and later buckets are
 * for disk writes.
 */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']);

/**
 * Creates the metrics of the service. Clients cannot choose label values, so the number of time series is limited. No
 * label identifies a link, an API key or a client.
 */
export function createMetrics({ version, redirectCounts, clicks }: MetricSources) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  new Gauge({
    name: 'terse_build_info',
    help: 'Always 1; the label is the version of Terse.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
  new Counter({
    name: 'terse_redirects_total',
    help: 'Requests for short URLs, by outcome.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(redirectCounts)) this.inc({ outcome: snakeCase(outcome) }, count);
    },
  });
  new Counter({
    name: 'terse_clicks_lost_total',
    help: 'Clicks that could not be stored and will not be counted.',
    registers,
    collect() {
      this.reset();
      this.inc(clicks().lost);
    },
  });
  new Gauge({
    name: 'terse_clicks_waiting',
    help: 'Clicks that are stored and wait to be counted.',
    registers,
    collect() {
      this.set(clicks().waiting);
    },
  });
  const requests = new Histogram({
    name: 'terse_http_request_duration_seconds',
    help: 'Response time of the API and the dashboard, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers,
  });
  const limited = new Counter({
    name: 'terse_limit_refusals_total',
    help: 'Requests refused because of a limit, by limit.',
    labelNames: ['limit'],
    registers,
  });

  return {
    observeRequest({ method, route, status, seconds, limit }: AnsweredRequest): void {
      const labels = {
        method: method !== null && METHODS.has(method) ? method : 'other',
        route: route ?? 'none',
        status: `${Math.floor(status / 100)}xx`,
      };
      requests.observe(labels, seconds);
      if (limit !== null) limited.inc({ limit });
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Creates the handler of `/metrics`. */
export function createMetricsListener(metrics: Metrics): RequestListener {
  const app = new Hono();
  app.get('/metrics', async (context) =>
    context.body(await metrics.text(), 200, {
      'Content-Type': metrics.contentType,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    }),
  );
  // The host name is for HTTP/1.0 requests without a `Host` header.
  return getRequestListener(app.fetch, { hostname: 'localhost' });
}
