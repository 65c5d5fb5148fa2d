import { type Link, ShortenAnswer, ShortenRequest } from '@terse/contract';
import * as z from 'zod/mini';
import { ApiError, orApiError } from '../../http/api-error.ts';
import type { JsonResponse } from '../../store/interface/create-request-store.ts';
import { type CreateDefinition, respondWith, singleItem } from '../create-links-pipeline.ts';
import { answered, sent } from '../openapi/describe-endpoint.ts';
import { parseLinkInput } from '../validate-link-body.ts';

/**
 * `POST /api/shorten`: creates a short URL (API specification, section 4.1). Ignores all fields of the body except
 * `url`.
 */
export const shorten: CreateDefinition = {
  path: '/api/shorten',
  doc: {
    id: 'shorten',
    tag: 'Shorten',
    summary: 'Shorten a URL',
    description: 'Creates a link to the URL. The service chooses the short code and returns the short URL.',
    body: sent(ShortenRequest, { url: { url: 'https://en.wikipedia.org/wiki/Otter' } }),
    success: {
      status: 200,
      description: 'The link was created.',
      content: answered(ShortenAnswer, {
        made: { message: 'Your short link is ready.', shortUrl: 'https://t.example/k7Rm2Wq' },
      }),
    },
    errors: ['invalid_url', 'target_refused'],
  },
  toItems(body, services) {
    const input = urlOf(body);
    const link = orApiError(() => parseLinkInput(input, services));
    // The specification requires the same message for all invalid URLs.
    if (link instanceof ApiError) throw new ApiError(link.code);
    return singleItem({ link, respond: respondWith(shortenResponse, services) });
  },
};

function shortenResponse({ shortUrl }: Link): JsonResponse {
  const body: ShortenAnswer = { message: 'Your short link is ready.', shortUrl };
  return { status: 200, body: JSON.stringify(body), location: null };
}

const AnyObject = z.looseObject({});

function urlOf(body: unknown): { url: unknown } {
  const { data } = AnyObject.safeParse(body);
  if (data) return { url: data.url };
  throw new ApiError('invalid_request', { message: 'The request body must be a JSON object with a "url".' });
}
