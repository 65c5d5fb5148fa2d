import { BATCH_LIMIT, BatchAnswer, BatchRequest, type BatchResult } from '@terse/contract';
import { isIdempotencyKey, linkFingerprint } from '../../domain/limits/idempotency-key.ts';
import { ApiError, errorJson, messageOf, orApiError } from '../../http/api-error.ts';
import type { CreateItem, JsonResponse } from '../../store/interface/create-request-store.ts';
import type { CreateDefinition } from '../create-links-pipeline.ts';
import type { ApiServices } from '../endpoint.ts';
import { answered, LINK, sent } from '../openapi/describe-endpoint.ts';
import { PATH as CREATE_PATH, linkItem } from './create-link.ts';

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
  toItems(body, services) {
    const { data } = BatchRequest.safeParse(body);
    if (!data) {
      const message = `A batch is a JSON object with "urls", a list of 1 to ${BATCH_LIMIT} links.`;
      throw new ApiError('invalid_request', { message });
    }
    const parsed = data.urls.map((item) => orApiError(() => parseItem(item, services)));
    return {
      items: parsed.flatMap((item) => (item instanceof ApiError ? [] : [item])),
      respond(made) {
        const responses = made.values();
        const results = parsed.map((item, index) => {
          return resultOf(index, item instanceof ApiError ? errorJson(item) : (responses.next().value as JsonResponse));
        });
        return { status: 207, body: JSON.stringify({ results } satisfies BatchAnswer), location: null };
      },
    };
  },
};

/**
 * Parses one item of a batch: a link and its optional idempotency key. If the item fails, a client can retry it with
 * the same idempotency key through `POST /api/v1/urls`.
 */
function parseItem(body: unknown, services: ApiServices): CreateItem {
  const item = linkItem(body, services);
  const { idempotencyKey: key } = body as { idempotencyKey?: unknown };
  if (key === undefined || key === null) return { ...item, idempotency: null };
  if (typeof key !== 'string' || !isIdempotencyKey(key)) throw new ApiError('invalid_idempotency_key');
  return { ...item, idempotency: { key, endpoint: CREATE_PATH, fingerprint: linkFingerprint(body) } };
}

function resultOf(index: number, { status, body }: JsonResponse): BatchResult {
  const json = JSON.parse(body);
  return status === 201 ? { index, status, link: json } : { index, status, ...json };
}
