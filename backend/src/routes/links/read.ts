import type { Endpoint, Services } from '../endpoint.ts';
import { LINK_PATH, ownLink } from './own.ts';
import { presentLink } from './present.ts';

/** `GET /api/v1/urls/{shortCode}`: one link of the key's account. */
export function readLinkEndpoint(services: Services): Endpoint {
  return {
    method: 'GET',
    path: LINK_PATH,
    access: 'read',
    async handle(context) {
      return context.json(presentLink(await ownLink(context, services), services.shortBaseUrl));
    },
  };
}
