import { FEATURE, type ServiceDocument } from '@terse/contract';
import type { Endpoint, Services } from './endpoint.ts';

/** `GET /api`: what this service is and which features it has. */
export function serviceEndpoint({ shortBaseUrl, version }: Services): Endpoint {
  const document: ServiceDocument = {
    name: 'Terse',
    version,
    shortBaseUrl,
    features: [FEATURE.idempotency, FEATURE.batch, FEATURE.links, FEATURE.key, FEATURE.rateLimit],
  };
  return { method: 'GET', path: '/api', access: 'open', handle: (context) => context.json(document) };
}

/** `GET /healthz`: the process is alive and answers. */
export function healthEndpoint(): Endpoint {
  return { method: 'GET', path: '/healthz', access: 'open', handle: (context) => context.json({ status: 'ok' }) };
}
