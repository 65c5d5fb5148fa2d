import { createEndpoint } from '../create.ts';
import type { Endpoint, Services } from '../endpoint.ts';
import { errorAnswer, Refusal } from '../errors.ts';
import { planLink } from './plan.ts';

/** `POST /api/v1/urls`: one link, with a code, a title and an expiry of the caller's choice. */
export function createLinkEndpoint(services: Services): Endpoint {
  const path = '/api/v1/urls';
  return createEndpoint(services, path, (body) => {
    const { link, present } = planLink(body, services);
    return {
      links: [link],
      answer([made]) {
        try {
          const link = present(made);
          const location = `${services.baseUrl}${path}/${link.shortCode}`;
          return { status: 201, body: JSON.stringify(link), location };
        } catch (error) {
          if (error instanceof Refusal) return errorAnswer(error);
          throw error;
        }
      },
    };
  });
}
