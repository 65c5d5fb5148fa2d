import type { Endpoint, Services } from '../endpoint.ts';
import { Refusal } from '../errors.ts';
import { LINK_PATH, ownLink } from './own.ts';

/** `DELETE /api/v1/urls/{shortCode}`: the link ends, and its code is retired for ever. */
export function removeLinkEndpoint(services: Services): Endpoint {
  const { store, clock, forgetLink } = services;
  return {
    method: 'DELETE',
    path: LINK_PATH,
    access: 'read',
    async handle(context) {
      const { accountId, code } = await ownLink(context, services);
      const removed = await store.links.remove(accountId, code, clock());
      forgetLink(code);
      // Two at once: the other was first.
      if (!removed) throw new Refusal('gone', { sentence: 'This link was deleted.' });
      return context.body(null, 204);
    },
  };
}
