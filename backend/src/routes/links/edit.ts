import { EditLinkRequest, Link, readInstant } from '@terse/contract';
import * as z from 'zod/mini';
import { apiLink } from '../../domain/api-link.ts';
import { expiryFault } from '../../domain/link-rules.ts';
import { plainTitle } from '../../domain/titles.ts';
import { validateTarget } from '../../domain/urls.ts';
import type { LinkEdit } from '../../store/store.ts';
import { parseJson, readBody } from '../body.ts';
import type { Endpoint, Services } from '../endpoint.ts';
import { ApiError } from '../errors.ts';
import { LINK } from '../openapi/examples.ts';
import { answered, type Operation, sent } from '../openapi/operation.ts';
import { fieldError } from './field-errors.ts';
import { LINK_PARAMETERS, LINK_PATH, namedLink } from './named-link.ts';

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
      const { accountId, code } = await namedLink(context, services);
      const edit = validateEdit(parseJson(await readBody(context.req)), services);
      const edited = await store.links.edit(accountId, code, edit);
      forgetLink(code);
      // Somebody deleted it since it was read.
      if (!edited) throw new ApiError('gone', { sentence: 'This link was deleted.' });
      return context.json(apiLink(edited, shortBaseUrl));
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
  if (title !== undefined) edit.title = plainTitle(title);
  if (expiresAt !== undefined) edit.expiresAt = expiresAt === null ? null : validExpiry(expiresAt, clock());
  return edit;
}

function validExpiry(text: string, now: number): number {
  const instant = readInstant(text) ?? 'invalid';
  if (instant === 'invalid' || expiryFault(instant) || instant <= now) throw new ApiError('invalid_expiry');
  return instant;
}
