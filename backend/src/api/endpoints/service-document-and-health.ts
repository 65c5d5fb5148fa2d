import { FEATURE, REFUSED_TARGET, ServiceDocument } from '@terse/contract';
import { NEW_CODES } from '../../domain/links/short-codes.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Endpoint, Services } from '../endpoint.ts';
import { answered } from '../openapi/describe-endpoint.ts';
import { Health } from '../openapi/schemas.ts';

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

/** A reserved word: never anybody's code, so that looking it up costs one read and tells nothing. */
const NOBODYS_CODE = 'readyz';

/** `GET /readyz`: requests may be sent here. Refused while the service stops, as every request then is. */
export function readinessEndpoint({ store }: Pick<Services, 'store'>): Endpoint {
  return {
    method: 'GET',
    path: '/readyz',
    access: 'open',
    scope: null,
    doc: {
      id: 'readReadiness',
      tag: 'Service',
      summary: 'Read whether requests can be answered',
      description:
        'For whoever sends requests here: the database answers, and the service is not stopping. Needs no key.',
      success: { status: 200, description: 'They can.', content: answered(Health, { ok: { status: 'ok' } }) },
    },
    async handle(context) {
      await store.links.resolve([NOBODYS_CODE]).catch(() => {
        throw new ApiError('unavailable', { headers: { 'Retry-After': '5' } });
      });
      return context.json({ status: 'ok' });
    },
  };
}
