import { ShortenAnswer, ShortenRequest } from '@terse/contract';
import * as z from 'zod/mini';
import { createEndpoint } from './create.ts';
import type { Endpoint, Services } from './endpoint.ts';
import { ApiError } from './errors.ts';
import { answerLink, draftLink } from './links/link-draft.ts';
import { answered, type Operation, sent } from './openapi/operation.ts';

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
  return createEndpoint(services, {
    path: '/api/shorten',
    doc,
    draft(body) {
      const { data } = AnyObject.safeParse(body);
      if (!data) {
        throw new ApiError('invalid_request', { sentence: 'The request body must be a JSON object with a "url".' });
      }
      return { links: [draftLink({ url: data.url }, services)], draft: null };
    },
    word(_, [made], { shortBaseUrl }) {
      const { shortUrl } = answerLink(made, shortBaseUrl);
      const answer: ShortenAnswer = { message: 'Your short link is ready.', shortUrl };
      return { status: 200, body: JSON.stringify(answer), location: null };
    },
  });
}
