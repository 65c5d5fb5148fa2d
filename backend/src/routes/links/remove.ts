import type { Endpoint, Services } from '../endpoint.ts';
import { ApiError } from '../errors.ts';
import { LINK_PARAMETERS, LINK_PATH, namedLink } from './named-link.ts';

/** `DELETE /api/v1/urls/{shortCode}`: the link ends, and its code is retired for ever. */
export function removeLinkEndpoint(services: Services): Endpoint {
  const { store, clock, forgetLink } = services;
  return {
    method: 'DELETE',
    path: LINK_PATH,
    access: 'read',
    scope: 'manage',
    doc: {
      id: 'deleteLink',
      tag: 'Links',
      summary: 'Delete a link',
      description: `Ends a link of the account. Its short URL answers 410 from now on, and its code is never given out again.
Deleting it once more answers 410; a link of another account answers 404.`,
      path: LINK_PARAMETERS,
      success: { status: 204, description: 'The link was deleted.' },
      errors: ['not_found', 'gone'],
    },
    async handle(context) {
      const { accountId, code } = await namedLink(context, services);
      const removed = await store.links.remove(accountId, code, clock());
      forgetLink(code);
      // Another request deleted it meanwhile.
      if (!removed) throw new ApiError('gone', { sentence: 'This link was deleted.' });
      return context.body(null, 204);
    },
  };
}
