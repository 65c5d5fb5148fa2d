import { HEADER } from '@terse/contract';
import type { Context } from 'hono';
import { fingerprint, isIdempotencyKey } from '../domain/idempotency.ts';
import type { LimitReport } from '../domain/limits.ts';
import type { Answer, Outcome, Submission } from '../store/store.ts';
import { CutShort, parseJson, readBody } from './body.ts';
import { type Endpoint, type Env, limitsOf, type Services } from './endpoint.ts';
import { ApiError, errorAnswer, errorResponse } from './errors.ts';
import { limitHeaders } from './limit-headers.ts';
import type { Operation } from './openapi/operation.ts';
import { checkScope } from './scopes.ts';

/** What one body asks for: the links to make, and how to word the answer once they are made or not. */
export type Plan = Pick<Submission, 'links' | 'answer'>;

/**
 * An endpoint that creates links: charged to the key's limits, idempotent, atomic. `plan` judges the parsed body and
 * throws a ApiError where it cannot be carried out. Such an answer counts and is kept like any other.
 */
export function createEndpoint(
  services: Services,
  { path, doc }: { path: string; doc: Operation },
  plan: (body: unknown) => Plan,
): Endpoint {
  return {
    method: 'POST',
    path,
    access: 'create',
    scope: 'create',
    doc,
    async handle(context) {
      const key = context.get('key');
      const { plan: planned, idempotency, headers } = await read(context, path, plan);
      const outcome = await services.store.submissions.submit({
        key,
        limits: limitsOf(key, services.limits),
        now: services.clock(),
        idempotency,
        ...planned,
      });
      if (outcome.kind === 'refused') context.set('limit', outcome.by);
      return respond(outcome, headers);
    },
  };
}

interface Read {
  plan: Plan;
  idempotency: Submission['idempotency'];
  /** Headers of a refusal, beyond those every answer has. */
  headers: Record<string, string>;
}

async function read(context: Context<Env>, path: string, plan: (body: unknown) => Plan): Promise<Read> {
  let idempotency: Read['idempotency'] = null;
  try {
    const key = context.req.header(HEADER.idempotencyKey);
    if (key !== undefined && !isIdempotencyKey(key)) throw new ApiError('invalid_idempotency_key');
    const body = await readBody(context.req);
    if (key !== undefined) idempotency = { key, endpoint: path, fingerprint: fingerprint(path, body) };
    checkScope(context.var.key, 'create');
    return { plan: plan(parseJson(body)), idempotency, headers: {} };
  } catch (error) {
    if (!(error instanceof ApiError) || error instanceof CutShort) throw error;
    return { plan: { links: [], answer: () => errorAnswer(error) }, idempotency, headers: error.headers };
  }
}

function respond(outcome: Outcome, extra: Record<string, string>): Response {
  const headers = { ...limitHeaders(outcome.limits), ...extra };
  switch (outcome.kind) {
    case 'answered':
      return answerResponse(outcome.answer, headers);
    case 'replayed':
      return answerResponse(outcome.answer, { ...headers, [HEADER.idempotencyReplayed]: 'true' });
    case 'reused':
      return errorResponse(new ApiError('idempotency_key_reused', { headers }));
    case 'refused':
      return errorResponse(limited(outcome.by, outcome.limits, headers));
  }
}

function answerResponse({ status, body, location }: Answer, headers: Record<string, string>): Response {
  const place = location === null ? {} : { Location: location };
  return new Response(body, { status, headers: { 'Content-Type': 'application/json', ...headers, ...place } });
}

function limited(by: 'throttle' | 'quota', limits: LimitReport, headers: Record<string, string>): ApiError {
  const retryAfter = String(limits[by].resetSeconds);
  return new ApiError(by === 'quota' ? 'quota_exceeded' : 'throttled', {
    headers: { ...headers, [HEADER.retryAfter]: retryAfter },
  });
}
