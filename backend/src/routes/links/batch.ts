import { BATCH_LIMIT, BatchAnswer, BatchRequest, type BatchResult, ERROR_STATUS, type Link } from '@terse/contract';
import { createEndpoint, type DraftError, draftError } from '../create.ts';
import type { Endpoint, Services } from '../endpoint.ts';
import { ApiError, sentenceOf } from '../errors.ts';
import { LINK } from '../openapi/examples.ts';
import { answered, type Operation, sent } from '../openapi/operation.ts';
import { answerLink, draftLink } from './link-draft.ts';

const doc: Operation = {
  id: 'createLinks',
  tag: 'Links',
  summary: 'Create many links',
  description: `Makes up to ${BATCH_LIMIT} links by one request of the key's limits. Each is validated by itself and has a status and
a result of its own, in the order sent; of two that want one code the first gets it.`,
  body: sent(BatchRequest, {
    two: { urls: [{ url: LINK.url, shortCode: LINK.shortCode, title: LINK.title }, { url: 'not a URL' }] },
  }),
  success: {
    status: 207,
    description: 'What became of each.',
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
  return createEndpoint<BatchDraft>(services, {
    path: '/api/v1/urls/batch',
    doc,
    draft(body) {
      const { data } = BatchRequest.safeParse(body);
      if (!data) {
        const sentence = `A batch is a JSON object with "urls", a list of 1 to ${BATCH_LIMIT} links.`;
        throw new ApiError('invalid_request', { sentence });
      }
      const drafts = data.urls.map((item) => orApiError(() => draftLink(item, services)));
      return {
        links: drafts.flatMap((link) => (link instanceof ApiError ? [] : [link])),
        draft: drafts.map((link) => (link instanceof ApiError ? draftError(link) : null)),
      };
    },
    word(draft, made, { shortBaseUrl }) {
      const links = made.values();
      const results = draft.map((error, index) => {
        const link = error
          ? new ApiError(error.code, error)
          : orApiError(() => answerLink(links.next().value, shortBaseUrl));
        return result(index, link);
      });
      return { status: 207, body: JSON.stringify({ results } satisfies BatchAnswer), location: null };
    },
  });
}

function result(index: number, link: Link | ApiError): BatchResult {
  if (!(link instanceof ApiError)) return { index, status: 201, link };
  return { index, status: ERROR_STATUS[link.code], error: link.message, code: link.code };
}

/** The value, or the error of the API that took its place. */
function orApiError<Value>(action: () => Value): Value | ApiError {
  try {
    return action();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
