import { type Link, ShortenAnswer, ShortenRequest } from '@terse/contract';
import * as z from 'zod/mini';
import { type Answer, ApiError, orApiError } from '../../http/api-error.ts';
import { CREATING, readCreateRequest, respond, submitOrder } from '../create-links-pipeline.ts';
import type { Endpoint, Services } from '../endpoint.ts';
import { answered, type Operation, sent } from '../openapi/describe-endpoint.ts';
import { answerLink, parseLinkInput } from '../validate-link-body.ts';

const PATH = '/api/shorten';

const AnyObject = z.looseObject({});

const doc: Operation = {
  id: 'shorten',
  tag: 'Shorten',
  summary: 'Shorten a URL',
  description: 'Makes a new link to the URL, under a code that the service chooses, and answers its short URL.',
  body: sent(ShortenRequest, { url: { url: 'https://en.wikipedia.org/wiki/Otter' } }),
  success: {
    status: 200,
    description: 'The link was made.',
    content: answered(ShortenAnswer, {
      made: { message: 'Your short link is ready.', shortUrl: 'https://t.example/k7Rm2Wq' },
    }),
  },
  errors: ['invalid_url', 'target_refused'],
};

/** `POST /api/shorten`: the specification's single operation (section 4.1). Of the body it takes the `url` alone. */
export function shortenEndpoint(services: Services): Endpoint {
  return {
    ...CREATING,
    path: PATH,
    doc,
    async handle(context) {
      const request = await readCreateRequest(context, PATH);
      const order = orApiError(() => ({ links: [parseLinkInput(urlOf(request.json()), services)], draft: null }));
      const executed = await submitOrder(context, services, request, order);
      if (executed instanceof Response) return executed;
      const link = orApiError(() => answerLink(executed.made[0], executed.addresses.shortBaseUrl));
      return respond(executed, link instanceof ApiError ? link : answer(link));
    },
  };
}

function urlOf(body: unknown): { url: unknown } {
  const { data } = AnyObject.safeParse(body);
  if (data) return { url: data.url };
  throw new ApiError('invalid_request', { sentence: 'The request body must be a JSON object with a "url".' });
}

function answer({ shortUrl }: Link): Answer {
  const body: ShortenAnswer = { message: 'Your short link is ready.', shortUrl };
  return { status: 200, body: JSON.stringify(body), location: null };
}
