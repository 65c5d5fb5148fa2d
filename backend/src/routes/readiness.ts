import type { Endpoint, Services } from './endpoint.ts';
import { ApiError } from './errors.ts';
import { Health } from './openapi/bodies.ts';
import { answered } from './openapi/operation.ts';

/** A reserved word: never anybody's code, so that looking it up costs one read and tells nothing. */
const NOBODYS_CODE = 'readyz';

/** `GET /readyz`: requests may be sent here. Refused while the service stops, as every request then is. */
export function readinessEndpoint({ store }: Pick<Services, 'store'>): Endpoint {
  return {
    method: 'GET',
    path: '/readyz',
    access: 'open',
    scope: null,
    doc: {
      id: 'readReadiness',
      tag: 'Service',
      summary: 'Read whether requests can be answered',
      description:
        'For whoever sends requests here: the database answers, and the service is not stopping. Needs no key.',
      success: { status: 200, description: 'They can.', content: answered(Health, { ok: { status: 'ok' } }) },
    },
    async handle(context) {
      await store.links.resolve([NOBODYS_CODE]).catch(() => {
        throw new ApiError('unavailable', { headers: { 'Retry-After': '5' } });
      });
      return context.json({ status: 'ok' });
    },
  };
}
