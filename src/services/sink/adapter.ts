import * as z from 'zod/mini';
import type { Exchange, HttpAnswer } from '../http-request-types.ts';
import { NOT_REPORTED, UNDESCRIBED_KEY } from '../response-to-result.ts';
import type { Probe, ServiceAdapter, ServiceContext } from '../service-adapter.ts';
import { SINK_FEATURE, sinkCapabilities } from './capabilities.ts';
import { createLinks, findLink } from './create-links.ts';
import { codeUse, deleteLink, editLink, listLinks } from './list-edit-delete-links.ts';
import { readFailure, request, shortBaseUrlOf } from './requests-and-responses.ts';

const Verified = z.object({ name: z.literal('Sink') });

const OpenApi = z.object({ paths: z.record(z.string(), z.unknown()) });

const Totals = z.object({ data: z.array(z.unknown()) });

/** Adapter for Sink. The API key is the site token. */
export const sinkAdapter: ServiceAdapter = {
  kind: 'sink',
  name: 'Sink',
  capabilities: sinkCapabilities,
  detect: {
    path: '/api/verify',
    matches: (answer) => answer.status === 401 && readFailure(answer)?.message === 'Unauthorized',
  },
  probe: probeSink,
  create: createLinks,
  find: findLink,
  list: listLinks,
  edit: editLink,
  delete: deleteLink,
  codeUse,
};

function* probeSink(context: ServiceContext): Exchange<Probe> {
  const answer = yield request(context, 'GET', 'verify');
  const { status, date } = answer;
  if (status >= 500) return { reached: false, problem: 'unavailable' };
  const reached = { reached: true as const, date, limits: NOT_REPORTED.limits };
  const isAccepted = status === 200 && Verified.safeParse(answer.json).success;
  const refusal = refusalOf(answer);
  if (!isAccepted && !refusal) {
    const isPage = status === 200 && answer.json === undefined;
    return { ...reached, document: null, key: null, ...(isPage && { isPage }) };
  }
  const features = refusal ? [] : yield* readFeatures(context);
  const document = { name: 'Sink', version: '', shortBaseUrl: shortBaseUrlOf(context), features };
  return { ...reached, document, key: refusal ?? UNDESCRIBED_KEY };
}

function refusalOf(answer: HttpAnswer): 'refused' | 'forbidden' | null {
  const status = readFailure(answer)?.status;
  if (status === 401) return 'refused';
  return status === 403 ? 'forbidden' : null;
}

/**
 * Finds out which features this Sink server has. If the server publishes no description of its API, `upsert` and
 * `import` count as missing.
 */
function* readFeatures(context: ServiceContext): Exchange<string[]> {
  const description = yield { method: 'GET', path: '/_docs/openapi.json', headers: { Accept: 'application/json' } };
  const paths = OpenApi.safeParse(description.json).data?.paths ?? {};
  // A request without an id returns one row of totals, even if there are no clicks. If the server has no analytics,
  // it returns no row.
  const totals = Totals.safeParse((yield request(context, 'GET', 'stats/counters')).json).data?.data ?? [];
  return [
    ...('/api/link/upsert' in paths ? [SINK_FEATURE.upsert] : []),
    ...('/api/link/import' in paths ? [SINK_FEATURE.import] : []),
    ...(totals.length > 0 ? [SINK_FEATURE.clicks] : []),
  ];
}
