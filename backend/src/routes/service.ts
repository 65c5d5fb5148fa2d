import { FEATURE, REFUSED_TARGET, ServiceDocument } from '@terse/contract';
import { NEW_CODES } from '../domain/codes.ts';
import type { Endpoint, Services } from './endpoint.ts';
import { Health } from './openapi/bodies.ts';
import { answered } from './openapi/operation.ts';

/** `GET /api`: what this service is and which features it has. */
export function serviceEndpoint({ shortBaseUrl, targets, version }: Services): Endpoint {
  const document: ServiceDocument = {
    name: 'Terse',
    version,
    shortBaseUrl,
    features: [
      FEATURE.idempotency,
      FEATURE.batch,
      FEATURE.itemIdempotency,
      FEATURE.links,
      FEATURE.analytics,
      FEATURE.key,
      FEATURE.rateLimit,
      FEATURE.chosenCodes,
      FEATURE.edit,
    ],
    codes: NEW_CODES,
    refusedTargets: [REFUSED_TARGET.own, REFUSED_TARGET.private],
  };
  return {
    method: 'GET',
    path: '/api',
    access: 'open',
    scope: null,
    doc: {
      id: 'readService',
      tag: 'Service',
      summary: 'Read what the service is',
      description:
        'What this service is, where its short URLs are, which features it has, what its short codes are made of, and which targets it refuses. Needs no key.',
      success: {
        status: 200,
        description: 'The service.',
        content: answered(ServiceDocument, {
          service: { ...document, version: '1.0.0', shortBaseUrl: 'https://t.example' },
        }),
      },
    },
    handle: (context) =>
      context.json(targets.allowPrivate ? { ...document, refusedTargets: [REFUSED_TARGET.own] } : document),
  };
}

/** `GET /healthz`: the process is alive and answers. */
export function healthEndpoint(): Endpoint {
  return {
    method: 'GET',
    path: '/healthz',
    access: 'open',
    scope: null,
    doc: {
      id: 'readHealth',
      tag: 'Service',
      summary: 'Read whether the process answers',
      description: 'For monitoring. Needs no key and does not touch the database.',
      success: { status: 200, description: 'It does.', content: answered(Health, { ok: { status: 'ok' } }) },
    },
    handle: (context) => context.json({ status: 'ok' }),
  };
}
