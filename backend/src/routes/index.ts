import type { Endpoint, Services } from './endpoint.ts';
import { keyEndpoint } from './key.ts';
import { analyticsEndpoint } from './links/analytics.ts';
import { batchEndpoint } from './links/batch.ts';
import { createLinkEndpoint } from './links/create.ts';
import { editLinkEndpoint } from './links/edit.ts';
import { listLinksEndpoint } from './links/list.ts';
import { readLinkEndpoint } from './links/read.ts';
import { removeLinkEndpoint } from './links/remove.ts';
import { openApiEndpoint } from './openapi/endpoint.ts';
import { readinessEndpoint } from './readiness.ts';
import { healthEndpoint, serviceEndpoint } from './service.ts';
import { shortenEndpoint } from './shorten.ts';

/**
 * Everything the API answers. Methods, 405 answers, keys, limits and log lines all follow from this list. Of two paths
 * that could match one request, the first here takes it.
 */
export function endpoints(services: Services): Endpoint[] {
  const described = [
    healthEndpoint(),
    readinessEndpoint(services),
    serviceEndpoint(services),
    shortenEndpoint(services),
    createLinkEndpoint(services),
    listLinksEndpoint(services),
    batchEndpoint(services),
    readLinkEndpoint(services),
    editLinkEndpoint(services),
    removeLinkEndpoint(services),
    analyticsEndpoint(services),
    keyEndpoint(services),
  ];
  return [...described, openApiEndpoint(services, described)];
}
