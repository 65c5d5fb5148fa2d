import type { ShortenAnswer } from '@terse/contract';
import * as z from 'zod/mini';
import { createEndpoint } from './create.ts';
import type { Endpoint, Services } from './endpoint.ts';
import { Refusal } from './errors.ts';
import { planLink } from './links/plan.ts';

const AnyObject = z.looseObject({});

/** `POST /api/shorten`: the specification's single operation (section 4.1). Of the body it takes the `url` alone. */
export function shortenEndpoint(services: Services): Endpoint {
  return createEndpoint(services, '/api/shorten', (body) => {
    const { data } = AnyObject.safeParse(body);
    if (!data) {
      throw new Refusal('invalid_request', { sentence: 'The request body must be a JSON object with a "url".' });
    }
    const { link, present } = planLink({ url: data.url }, services);
    return {
      links: [link],
      answer([made]) {
        const answer: ShortenAnswer = { message: 'Your short link is ready.', shortUrl: present(made).shortUrl };
        return { status: 200, body: JSON.stringify(answer), location: null };
      },
    };
  });
}
