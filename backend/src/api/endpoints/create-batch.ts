import { BATCH_LIMIT, BatchAnswer, BatchRequest, type BatchResult, ERROR_STATUS, type Link } from '@terse/contract';
import { isIdempotencyKey, linkFingerprint } from '../../domain/limits/idempotency-key.ts';
import type { NewLink } from '../../domain/links/stored-link.ts';
import { ApiError, messageOf, orApiError } from '../../http/api-error.ts';
import { type CreateDefinition, fromStoredError, serializeDraft, toStoredError } from '../create-links-pipeline.ts';
import type { ApiServices } from '../endpoint.ts';
import { answered, LINK, sent } from '../openapi/describe-endpoint.ts';
import { createdLinkJson, parseLinkInput } from '../validate-link-body.ts';
import { PATH as CREATE_PATH } from './create-link.ts';

/** `POST /api/v1/urls/batch`: creates several links with one request. Each link has its own result. */
export const createBatch: CreateDefinition = {
  path: '/api/v1/urls/batch',
  doc: {
    id: 'createLinks',
    tag: 'Links',
    summary: 'Create many links',
    description: `Creates up to ${BATCH_LIMIT} links. The batch counts as one request of the key's limits. Each link is validated
separately and has its own status and result, in the order sent. If two items have the same short code, the first one gets it. An item
can have an \`idempotencyKey\`, which works like the header of \`POST /api/v1/urls\`: if it was used before for the same link, in a
batch or alone, the result is that link.`,
    body: sent(BatchRequest, {
      two: { urls: [{ url: LINK.url, shortCode: LINK.shortCode, title: LINK.title }, { url: 'not a URL' }] },
    }),
    success: {
      status: 207,
      description: 'The result of each link.',
      content: answered(BatchAnswer, {
        two: {
          results: [
            { index: 0, status: 201, link: LINK },
            { index: 1, status: 400, error: messageOf('invalid_url'), code: 'invalid_url' },
          ],
        },
      }),
    },
  },
  toLinks(body, services) {
    const { data } = BatchRequest.safeParse(body);
    if (!data) {
      const message = `A batch is a JSON object with "urls", a list of 1 to ${BATCH_LIMIT} links.`;
      throw new ApiError('invalid_request', { message });
    }
    const items = data.urls.map((item) => orApiError(() => parseItem(item, services)));
    return {
      links: items.flatMap((item) => (item instanceof ApiError ? [] : [item])),
      itemErrors: items.map((item) => (item instanceof ApiError ? toStoredError(item) : null)),
    };
  },
  toResponse({ made, itemErrors, settings }) {
    const links = made.values();
    const results = (itemErrors ?? []).map((error, index) => {
      const link = error ? fromStoredError(error) : orApiError(() => createdLinkJson(links.next().value, settings));
      return resultOf(index, link);
    });
    return { status: 207, body: JSON.stringify({ results } satisfies BatchAnswer), location: null };
  },
};

/**
 * Parses one item of a batch: a link and its optional idempotency key. If the item fails, a client can retry it with
 * the same idempotency key through `POST /api/v1/urls`.
 */
function parseItem(item: unknown, services: ApiServices): NewLink {
  const link = parseLinkInput(item, services);
  const { idempotencyKey: key } = item as { idempotencyKey?: unknown };
  if (key === undefined || key === null) return link;
  if (typeof key !== 'string' || !isIdempotencyKey(key)) throw new ApiError('invalid_idempotency_key');
  const draft = serializeDraft(null, services);
  return { ...link, idempotency: { key, endpoint: CREATE_PATH, fingerprint: linkFingerprint(item), draft } };
}

function resultOf(index: number, link: Link | ApiError): BatchResult {
  if (!(link instanceof ApiError)) return { index, status: 201, link };
  return { index, status: ERROR_STATUS[link.code], error: link.message, code: link.code };
}
