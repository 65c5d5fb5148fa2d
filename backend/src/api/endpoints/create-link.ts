import { CreateLinkRequest, Link } from '@terse/contract';
import { linkFingerprint } from '../../domain/limits/idempotency-key.ts';
import { type Answer, ApiError, orApiError } from '../../http/api-error.ts';
import { CREATING, readCreateRequest, respond, submitOrder } from '../create-links-pipeline.ts';
import type { Endpoint, Services } from '../endpoint.ts';
import { answered, GENERATED, LINK, type Operation, sent } from '../openapi/describe-endpoint.ts';
import { answerLink, parseLinkInput } from '../validate-link-body.ts';

export const PATH = '/api/v1/urls';

const doc: Operation = {
  id: 'createLink',
  tag: 'Links',
  summary: 'Create a link',
  description: `Makes a new link. A code of one's choice is 3 to 64 letters, digits, hyphens and underscores, told apart by
case; some words are reserved. A code that was ever given out is never given out again.`,
  body: sent(CreateLinkRequest, {
    chosen: { url: LINK.url, shortCode: LINK.shortCode, title: LINK.title },
    expiring: { url: GENERATED.url, expiresAt: GENERATED.expiresAt },
  }),
  success: {
    status: 201,
    description: 'The link was made.',
    content: answered(Link, { chosen: LINK, expiring: GENERATED }),
    headers: {
      Location: { description: 'Where the link can be read.', example: `https://terse.example${PATH}/otters` },
    },
  },
  errors: [
    'invalid_url',
    'target_refused',
    'invalid_short_code',
    'invalid_title',
    'invalid_expiry',
    'short_code_taken',
  ],
};

/** `POST /api/v1/urls`: one link, with a code, a title and an expiry of the caller's choice. */
export function createLinkEndpoint(services: Services): Endpoint {
  return {
    ...CREATING,
    path: PATH,
    doc,
    async handle(context) {
      const request = await readCreateRequest(context, PATH, linkFingerprint);
      const order = orApiError(() => ({ links: [parseLinkInput(request.json(), services)], draft: null }));
      const executed = await submitOrder(context, services, request, order);
      if (executed instanceof Response) return executed;
      const { made, addresses } = executed;
      const link = orApiError(() => answerLink(made[0], addresses.shortBaseUrl));
      return respond(executed, link instanceof ApiError ? link : answer(link, addresses.baseUrl));
    },
  };
}

function answer(link: Link, baseUrl: string): Answer {
  return { status: 201, body: JSON.stringify(link), location: `${baseUrl}${PATH}/${link.shortCode}` };
}
