import { EditLinkRequest, Link, parseDateTime } from '@terse/contract';
import * as z from 'zod/mini';
import { linkJson } from '../../domain/links/link-json.ts';
import { expiryError, normalizeTitle } from '../../domain/links/link-rules.ts';
import type { LinkEdit } from '../../domain/links/stored-link.ts';
import { validateTarget } from '../../domain/links/target-url.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Endpoint, Services } from '../endpoint.ts';
import { findOwnLink, LINK_PARAMETERS, LINK_PATH } from '../find-own-link.ts';
import { parseJson, readBody } from '../json-body.ts';
import { answered, LINK, type Operation, sent } from '../openapi/describe-endpoint.ts';
import { fieldError } from '../validate-link-body.ts';

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
      return context.json(linkJson(await findOwnLink(context, services), services.shortBaseUrl));
    },
  };
}

const EDITED: Link = { ...LINK, url: 'https://en.wikipedia.org/wiki/Sea_otter', clicks: 42 };

const doc: Operation = {
  id: 'editLink',
  tag: 'Links',
  summary: 'Edit a link',
  description: `Changes where a link of the account leads, its title or its expiry, by the same rules as for a new link. What
the body leaves out stays as it is; null clears a title or an expiry. Within a second every short URL leads to the new
address. The code and the clicks stay. Other fields are ignored, but an edit that names others alone is refused.`,
  path: LINK_PARAMETERS,
  body: sent(EditLinkRequest, { url: { url: EDITED.url }, clear: { title: null, expiresAt: null } }),
  success: { status: 200, description: 'The link as it is now.', content: answered(Link, { link: EDITED }) },
  errors: ['not_found', 'gone', 'invalid_url', 'target_refused', 'invalid_title', 'invalid_expiry'],
};

/** `PATCH /api/v1/urls/{shortCode}`: another long URL, title or expiry for one link of the key's account. */
export function editLinkEndpoint(services: Services): Endpoint {
  const { store, shortBaseUrl, forgetLink } = services;
  return {
    method: 'PATCH',
    path: LINK_PATH,
    access: 'read',
    scope: 'manage',
    doc,
    async handle(context) {
      const { accountId, code } = await findOwnLink(context, services);
      const edit = validateEdit(parseJson(await readBody(context.req)), services);
      const edited = await store.links.edit(accountId, code, edit);
      forgetLink(code);
      // Somebody deleted it since it was read.
      if (!edited) throw new ApiError('gone', { sentence: 'This link was deleted.' });
      return context.json(linkJson(edited, shortBaseUrl));
    },
  };
}

const AnyObject = z.looseObject({});
const EDITABLE = Object.keys(EditLinkRequest.shape);

/** @throws ApiError for the first thing that is wrong with it */
function validateEdit(body: unknown, { clock, targets }: Pick<Services, 'clock' | 'targets'>): LinkEdit {
  const isObject = AnyObject.safeParse(body).success;
  // A client that names only other fields has mistyped them, or expects to edit them. Zod's copy lacks `__proto__`.
  const names = isObject ? Object.keys(body as object) : [];
  if (!isObject || (names.length > 0 && !names.some((name) => EDITABLE.includes(name)))) {
    const sentence = 'An edit is a JSON object with a "url", a "title" or an "expiresAt".';
    throw new ApiError('invalid_request', { sentence });
  }
  const { data, error } = EditLinkRequest.safeParse(body);
  if (error) throw fieldError(error);
  const { url, title, expiresAt } = data;
  const edit: LinkEdit = {};
  if (url !== undefined) {
    const target = validateTarget(url, targets);
    if ('refused' in target) throw new ApiError(target.refused);
    edit.url = target.href;
  }
  if (title !== undefined) edit.title = normalizeTitle(title);
  if (expiresAt !== undefined) edit.expiresAt = expiresAt === null ? null : validExpiry(expiresAt, clock());
  return edit;
}

function validExpiry(text: string, now: number): number {
  const instant = parseDateTime(text) ?? 'invalid';
  if (instant === 'invalid' || expiryError(instant) || instant <= now) throw new ApiError('invalid_expiry');
  return instant;
}

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
      const { accountId, code } = await findOwnLink(context, services);
      const removed = await store.links.remove(accountId, code, clock());
      forgetLink(code);
      // Another request deleted it meanwhile.
      if (!removed) throw new ApiError('gone', { sentence: 'This link was deleted.' });
      return context.body(null, 204);
    },
  };
}
