import { EditLinkRequest, Link } from '@terse/contract';
import { linkJson } from '../../domain/links/link-json.ts';
import type { ApiServices, Endpoint } from '../endpoint.ts';
import { DOMAIN_PARAMETER, deletedError, findOwnLink, LINK_PARAMETERS, LINK_PATH } from '../find-own-link.ts';
import { answered, LINK, type Operation, sent } from '../openapi/describe-endpoint.ts';
import { parseEdit, parseJson, readBody } from '../request-body.ts';

export function getLinkEndpoint(services: ApiServices): Endpoint {
  return {
    method: 'GET',
    path: LINK_PATH,
    access: 'read',
    scope: 'read',
    doc: {
      id: 'readLink',
      tag: 'Links',
      summary: 'Read a link',
      description:
        'Returns a link of the account, even if the link has expired. A link of another account is answered with 404. If a new link can have the short code, the 404 response contains `Short-Code-Available: true`. Only keys of the owner of the service get this header. They must have the scopes `create` and `read`, and access to all links of the account.',
      path: LINK_PARAMETERS,
      query: DOMAIN_PARAMETER,
      success: { status: 200, description: 'The link.', content: answered(Link, { link: { ...LINK, clicks: 42 } }) },
      errors: ['not_found', 'gone'],
    },
    async handle(context) {
      return context.json(linkJson(await findOwnLink(context, services), services));
    },
  };
}

const EDITED: Link = { ...LINK, url: 'https://en.wikipedia.org/wiki/Sea_otter', clicks: 42 };

const editDoc: Operation = {
  id: 'editLink',
  tag: 'Links',
  summary: 'Edit a link',
  description: `Changes the URL, title, expiry, query forwarding or tags of a link of the account, by the same rules as for a
new link. Fields that are not in the body stay unchanged; null clears all fields except the URL. Within a second, the short URL redirects to the new URL. The short
code and the click counts stay. Other fields are ignored, but a body that contains only other fields is refused.`,
  path: LINK_PARAMETERS,
  query: DOMAIN_PARAMETER,
  body: sent(EditLinkRequest, { url: { url: EDITED.url }, clear: { title: null, expiresAt: null } }),
  success: { status: 200, description: 'The link after the edit.', content: answered(Link, { link: EDITED }) },
  errors: ['not_found', 'gone', 'invalid_url', 'target_refused', 'invalid_title', 'invalid_expiry', 'invalid_tags'],
};

export function editLinkEndpoint(services: ApiServices): Endpoint {
  const { store, forgetLink } = services;
  return {
    method: 'PATCH',
    path: LINK_PATH,
    access: 'read',
    scope: 'manage',
    doc: editDoc,
    async handle(context) {
      const { accountId, code } = await findOwnLink(context, services);
      const edit = parseEdit(parseJson(await readBody(context.req)), services);
      const edited = await store.links.edit(accountId, code, edit);
      forgetLink(code);
      // Another request has deleted the link in the meantime.
      if (!edited) throw deletedError();
      return context.json(linkJson(edited, services));
    },
  };
}

/** `DELETE /api/v1/urls/{shortCode}`: deletes a link. Its short code is never used for another link. */
export function deleteLinkEndpoint(services: ApiServices): Endpoint {
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
      description: `Deletes a link of the account. Its short URL then answers 410, and its short code is never issued again.
Deleting the link again is answered with 410. A link of another account is answered with 404.`,
      path: LINK_PARAMETERS,
      query: DOMAIN_PARAMETER,
      success: { status: 204, description: 'The link was deleted.' },
      errors: ['not_found', 'gone'],
    },
    async handle(context) {
      const { accountId, code } = await findOwnLink(context, services);
      const removed = await store.links.remove(accountId, code, clock());
      forgetLink(code);
      if (!removed) throw deletedError();
      return context.body(null, 204);
    },
  };
}
