import { FEATURE, REFUSED_TARGET, ServiceDocument } from '@terse/contract';
import { newCodesFormat } from '../../domain/links/short-codes.ts';
import { hostOf } from '../../domain/links/short-domains.ts';
import { URL_BYTES } from '../../domain/links/validate-target.ts';
import { ApiError } from '../../http/api-error.ts';
import type { ApiServices, Endpoint } from '../endpoint.ts';
import { answered } from '../openapi/describe-endpoint.ts';
import { Health } from '../openapi/schemas.ts';

const EXAMPLE = {
  name: 'Terse',
  version: '1.0.0',
  shortBaseUrl: 'https://t.example',
  domains: [{ name: 't.example', shortBaseUrl: 'https://t.example' }],
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
    FEATURE.tags,
    FEATURE.forwardQuery,
  ],
  codes: newCodesFormat(false),
  refusedTargets: [REFUSED_TARGET.own, REFUSED_TARGET.private],
  maxUrlBytes: URL_BYTES.standard,
} satisfies ServiceDocument;

/** `GET /api`: describes the service, including its version and settings. */
export function serviceEndpoint({ shortBaseUrls, foldsCase, targets, version }: ApiServices): Endpoint {
  return {
    method: 'GET',
    path: '/api',
    access: 'open',
    scope: null,
    doc: {
      id: 'readService',
      tag: 'Service',
      summary: 'Describe the service',
      description:
        'The version of this service, the domains of its short URLs, its features, the format of its short codes, the targets that it refuses, and the maximum length of a long URL. Needs no key.',
      success: {
        status: 200,
        description: 'The service.',
        content: answered(ServiceDocument, { service: EXAMPLE }),
      },
    },
    handle: (context) =>
      context.json({
        ...EXAMPLE,
        version,
        shortBaseUrl: shortBaseUrls[0],
        domains: shortBaseUrls.map((shortBaseUrl) => ({ name: hostOf(shortBaseUrl), shortBaseUrl })),
        codes: newCodesFormat(foldsCase),
        refusedTargets: targets.allowPrivate ? [REFUSED_TARGET.own] : EXAMPLE.refusedTargets,
        maxUrlBytes: targets.maxUrlBytes,
      } satisfies ServiceDocument),
  };
}

/** `GET /healthz`: succeeds if the process responds. */
export function healthEndpoint(): Endpoint {
  return {
    method: 'GET',
    path: '/healthz',
    access: 'open',
    scope: null,
    doc: {
      id: 'readHealth',
      tag: 'Service',
      summary: 'Check that the process responds',
      description: 'For monitoring. Needs no key and does not touch the database.',
      success: {
        status: 200,
        description: 'The process responds.',
        content: answered(Health, { ok: { status: 'ok' } }),
      },
    },
    handle: (context) => context.json({ status: 'ok' }),
  };
}

/** Reserved word that can never be a short code. A lookup of this word tests the database with a single read. */
const RESERVED_CODE = 'readyz';

/**
 * `GET /readyz`: succeeds if the database responds. Fails while the service is shutting down, so that proxies stop
 * sending requests.
 */
export function readinessEndpoint({ store }: Pick<ApiServices, 'store'>): Endpoint {
  return {
    method: 'GET',
    path: '/readyz',
    access: 'open',
    scope: null,
    doc: {
      id: 'readReadiness',
      tag: 'Service',
      summary: 'Check that the service is ready',
      description:
        'For load balancers: succeeds if the database responds and the service is not stopping. Needs no key.',
      success: {
        status: 200,
        description: 'The service is ready.',
        content: answered(Health, { ok: { status: 'ok' } }),
      },
    },
    async handle(context) {
      await store.links.resolve(RESERVED_CODE).catch(() => {
        throw new ApiError('unavailable', { headers: { 'Retry-After': '5' } });
      });
      return context.json({ status: 'ok' });
    },
  };
}
