import { ShortenRequest } from '@terse/contract';
import * as z from 'zod/mini';
import { generatedCodes } from '../domain/codes.ts';
import { judgeTarget } from '../domain/urls.ts';
import { createEndpoint } from './create.ts';
import type { Endpoint, Services } from './endpoint.ts';
import { Refusal } from './errors.ts';

const AnyObject = z.looseObject({});

/** `POST /api/shorten`: the specification's single operation (section 4.1). */
export function shortenEndpoint(services: Services): Endpoint {
  return createEndpoint(services, '/api/shorten', (body) => {
    if (!AnyObject.safeParse(body).success) {
      throw new Refusal('invalid_request', { sentence: 'The request body must be a JSON object with a "url".' });
    }
    const target = judgeTarget(ShortenRequest.safeParse(body).data?.url ?? '', services.targets);
    if ('refused' in target) throw new Refusal(target.refused);
    return {
      links: [{ codes: generatedCodes(services.random), url: target.href, title: null, expiresAt: null }],
      answer([link]) {
        if (!link) throw new Error('No free short code was found.');
        const answer = { message: 'Your short link is ready.', shortUrl: `${services.shortBaseUrl}/${link.code}` };
        return { status: 200, body: JSON.stringify(answer), location: null };
      },
    };
  });
}
