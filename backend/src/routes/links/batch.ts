import { BATCH_LIMIT, type BatchAnswer, BatchRequest, type BatchResult, ERROR_STATUS } from '@terse/contract';
import type { StoredLink } from '../../store/store.ts';
import { createEndpoint } from '../create.ts';
import type { Endpoint, Services } from '../endpoint.ts';
import { Refusal } from '../errors.ts';
import { type PlannedLink, planLink } from './plan.ts';

/** `POST /api/v1/urls/batch`: many links by one request, each with an outcome of its own. */
export function batchEndpoint(services: Services): Endpoint {
  return createEndpoint(services, '/api/v1/urls/batch', (body) => {
    const { data } = BatchRequest.safeParse(body);
    if (!data) {
      const sentence = `A batch is a JSON object with "urls", a list of 1 to ${BATCH_LIMIT} links.`;
      throw new Refusal('invalid_request', { sentence });
    }
    const plans = data.urls.map((item) => attempt(() => planLink(item, services)));
    return {
      links: plans.flatMap((plan) => (plan instanceof Refusal ? [] : [plan.link])),
      answer(made) {
        const links = made.values();
        const results = plans.map((plan, index) => result(index, plan, links));
        return { status: 207, body: JSON.stringify({ results } satisfies BatchAnswer), location: null };
      },
    };
  });
}

/** @param made what became of the plans that were carried out, in their order; takes the next one for such a plan */
function result(index: number, plan: PlannedLink | Refusal, made: Iterator<StoredLink | null>): BatchResult {
  const link = plan instanceof Refusal ? plan : attempt(() => plan.present(made.next().value));
  if (!(link instanceof Refusal)) return { index, status: 201, link };
  return { index, status: ERROR_STATUS[link.code], error: link.message, code: link.code };
}

function attempt<Value>(action: () => Value): Value | Refusal {
  try {
    return action();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
