import type { Endpoint, Services } from './endpoint.ts';
import { keyEndpoint } from './key.ts';
import { healthEndpoint, serviceEndpoint } from './service.ts';
import { shortenEndpoint } from './shorten.ts';

/** Everything the API answers. Methods, 405 answers, keys, limits and log lines all follow from this list. */
export function endpoints(services: Services): Endpoint[] {
  return [healthEndpoint(), serviceEndpoint(services), shortenEndpoint(services), keyEndpoint(services)];
}
