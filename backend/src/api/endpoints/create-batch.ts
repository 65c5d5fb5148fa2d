import { BATCH_LIMIT, BatchAnswer, BatchRequest, type BatchResult, ERROR_STATUS, type Link } from '@terse/contract';
import { isIdempotencyKey, linkFingerprint } from '../../domain/limits/idempotency-key.ts';
import type { NewLink } from '../../domain/links/stored-link.ts';
import { type Answer, ApiError, orApiError, sentenceOf } from '../../http/api-error.ts';
import {
  CREATING,
  type DraftError,
  draftError,
  type Executed,
  type Order,
  readCreateRequest,
  respond,
  submitOrder,
  writeDraft,
} from '../create-links-pipeline.ts';
import type { Endpoint, Services } from '../endpoint.ts';
import { answered, LINK, type Operation, sent } from '../openapi/describe-endpoint.ts';
import { answerLink, parseLinkInput } from '../validate-link-body.ts';
import { PATH as CREATE_PATH } from './create-link.ts';

const PATH = '/api/v1/urls/batch';

const doc: Operation = {
  id: 'createLinks',
  tag: 'Links',
  summary: 'Create many links',
  description: `Makes up to ${BATCH_LIMIT} links by one request of the key's limits. Each is validated by itself and has a status and
a result of its own, in the order sent; of two with the same code the first gets it. An item may bear an \`idempotencyKey\`, the same
that \`POST /api/v1/urls\` takes as a header: one that was used before for the same link gets that link again, whichever way it was sent.`,
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
          { index: 1, status: 400, error: sentenceOf('invalid_url'), code: 'invalid_url' },
        ],
      },
    }),
  },
};

/** What is known of each link before any is made: the error that refuses it, or null. */
type BatchDraft = (DraftError | null)[];

/** `POST /api/v1/urls/batch`: many links by one request, each with an outcome of its own. */
export function batchEndpoint(services: Services): Endpoint {
  return {
    ...CREATING,
    path: PATH,
    doc,
    async handle(context) {
      const request = await readCreateRequest(context, PATH);
      const order = orApiError(() => draftBatch(request.json(), services));
      const executed = await submitOrder(context, services, request, order);
      return executed instanceof Response ? executed : respond(executed, answer(executed));
    },
  };
}

/** @throws ApiError where it is no batch */
function draftBatch(body: unknown, services: Services): Order<BatchDraft> {
  const { data } = BatchRequest.safeParse(body);
  if (!data) {
    const sentence = `A batch is a JSON object with "urls", a list of 1 to ${BATCH_LIMIT} links.`;
    throw new ApiError('invalid_request', { sentence });
  }
  const drafts = data.urls.map((item) => orApiError(() => draftItem(item, services)));
  return {
    links: drafts.flatMap((link) => (link instanceof ApiError ? [] : [link])),
    draft: drafts.map((link) => (link instanceof ApiError ? draftError(link) : null)),
  };
}

/** A link, and the idempotency key that it bears by itself: the one it would have if it were posted alone. */
function draftItem(item: unknown, services: Services): NewLink {
  const link = parseLinkInput(item, services);
  const { idempotencyKey: key } = item as { idempotencyKey?: unknown };
  if (key === undefined || key === null) return link;
  if (typeof key !== 'string' || !isIdempotencyKey(key)) throw new ApiError('invalid_idempotency_key');
  const idempotency = {
    key,
    endpoint: CREATE_PATH,
    fingerprint: linkFingerprint(item),
    draft: writeDraft(null, services),
  };
  return { ...link, idempotency };
}

function answer({ draft, made, addresses }: Executed<BatchDraft>): Answer {
  const links = made.values();
  const results = draft.map((error, index) => {
    const link = orApiError(() => {
      if (error) throw new ApiError(error.code, error);
      return answerLink(links.next().value, addresses.shortBaseUrl);
    });
    return result(index, link);
  });
  return { status: 207, body: JSON.stringify({ results } satisfies BatchAnswer), location: null };
}

function result(index: number, link: Link | ApiError): BatchResult {
  if (!(link instanceof ApiError)) return { index, status: 201, link };
  return { index, status: ERROR_STATUS[link.code], error: link.message, code: link.code };
}
