import { Link } from '@terse/contract';
import { apiLink } from '../../domain/api-link.ts';
import type { Endpoint, Services } from '../endpoint.ts';
import { LINK } from '../openapi/examples.ts';
import { answered } from '../openapi/operation.ts';
import { LINK_PARAMETERS, LINK_PATH, namedLink } from './named-link.ts';

/** `GET /api/v1/urls/{shortCode}`: one link of the key's account. */
export function readLinkEndpoint(services: Services): Endpoint {
  return {
    method: 'GET',
    path: LINK_PATH,
    access: 'read',
    scope: 'read',
    doc: {
      id: 'readLink',
      tag: 'Links',
      summary: 'Read a link',
      description: 'One link of the account. One that has expired is still here. One of another account answers 404.',
      path: LINK_PARAMETERS,
      success: { status: 200, description: 'The link.', content: answered(Link, { link: { ...LINK, clicks: 42 } }) },
      errors: ['not_found', 'gone'],
    },
    async handle(context) {
      return context.json(apiLink(await namedLink(context, services), services.shortBaseUrl));
    },
  };
}
