import { HEADER } from '@terse/contract';
import type { Context } from 'hono';
import { budgetsOf } from '../domain/budgets.ts';
import { fingerprint, isIdempotencyKey } from '../domain/idempotency.ts';
import type { LimitReport } from '../domain/limits.ts';
import { FIRST_ACCOUNT, type NewLink, type Outcome, type Result, type Submission } from '../store/store.ts';
import { CutShort, parseJson, readBody } from './body.ts';
import { type Env, limitsOf, type Services } from './endpoint.ts';
import { type Answer, ApiError, errorAnswer, errorResponse, orApiError } from './errors.ts';
import { type Addresses, readDraft, writeDraft } from './kept-draft.ts';
import { failureLimitHeaders, limitHeaders } from './limit-headers.ts';
import { checkScope } from './scopes.ts';

/** What all endpoints that create links have in common. They read a request, submit it and word its answer, in that order. */
export const CREATING = { method: 'POST', access: 'create', scope: 'create' } as const;

export interface CreateRequest {
  idempotency: Submission['idempotency'];
  /** The parsed body. @throws ApiError where the request cannot be executed, whatever is in it */
  json(): unknown;
}

/**
 * Reads a request to create links. What is wrong with it is thrown by `json` alone, since such a request is charged too.
 *
 * @param contentOf what makes two JSON bodies the same one to an idempotency key; every byte where it is not given
 */
export async function readCreateRequest(
  context: Context<Env>,
  path: string,
  contentOf?: (body: unknown) => Uint8Array,
): Promise<CreateRequest> {
  const key = context.req.header(HEADER.idempotencyKey);
  if (key !== undefined && !isIdempotencyKey(key)) return refused(new ApiError('invalid_idempotency_key'));
  try {
    const body = await readBody(context.req);
    const parsed = orApiError(() => parseJson(body));
    const content = () => (contentOf && !(parsed instanceof ApiError) ? contentOf(parsed) : fingerprint(path, body));
    return {
      idempotency: key === undefined ? null : { key, endpoint: path, fingerprint: content() },
      json() {
        if (parsed instanceof ApiError) throw parsed;
        return parsed;
      },
    };
  } catch (error) {
    if (!(error instanceof ApiError) || error instanceof CutShort) throw error;
    return refused(error);
  }
}

function refused(error: ApiError): CreateRequest {
  return {
    idempotency: null,
    json() {
      throw error;
    },
  };
}

/** The links that a request asks for, and what else its answer is worded from, which must be JSON. */
export interface Order<Draft> {
  links: NewLink[];
  draft: Draft;
}

/** An order that was executed, now or by the same request before. */
export interface Executed<Draft> {
  draft: Draft;
  /** In the order of the links; null for one whose chosen code was taken, `reused` for one whose own key was used for another. */
  made: Result['made'];
  addresses: Addresses;
  /** Belong on the answer. */
  headers: Record<string, string>;
}

/**
 * Charges an order to its key's limits and executes it, in one transaction. An order that is refused for its content is
 * charged all the same, and its answer is kept for the idempotency key. An order of a key that lacks the scope charges no limit.
 *
 * @param order what was drafted, or the error that refuses it as a whole
 * @returns what the endpoint words its answer from, or the answer itself where that is settled already
 */
export async function submitOrder<Draft>(
  context: Context<Env>,
  services: Services,
  { idempotency }: CreateRequest,
  order: Order<Draft> | ApiError,
): Promise<Executed<Draft> | Response> {
  const { key } = context.var;
  const [links, draft] = order instanceof ApiError ? [[], order] : [order.links, order.draft];
  const inForce = {
    limits: limitsOf(key, services.limits),
    accountQuota: budgetsOf(key.accountId === FIRST_ACCOUNT, services.accountLimits).links,
  };
  const { submissions } = services.store;
  try {
    checkScope(key, 'create');
    const submission = { key, ...inForce, idempotency, links, draft: writeDraft(draft, services) };
    const outcome = await submissions.submit(submission);
    if (outcome.kind === 'refused') context.set('limit', outcome.by);
    return executed(outcome, order instanceof ApiError ? order.headers : {});
  } catch (error) {
    const fields = await failureLimitHeaders(error, inForce.limits, () => submissions.left(key, inForce));
    for (const [name, value] of fields) context.header(name, value);
    throw error;
  }
}

/** @param extra headers of the error that refuses an order as a whole */
function executed<Draft>(outcome: Outcome, extra: Record<string, string>): Executed<Draft> | Response {
  const headers = { ...limitHeaders(outcome.limits), ...extra };
  if (outcome.kind === 'reused') return errorResponse(new ApiError('idempotency_key_reused', { headers }));
  if (outcome.kind === 'refused') return errorResponse(limited(outcome.by, outcome.limits, headers));
  const isReplayed = outcome.kind === 'replayed';
  const all = isReplayed ? { ...headers, [HEADER.idempotencyReplayed]: 'true' } : headers;
  const { result } = outcome;
  // Version 0.1 stored whole answers.
  if ('status' in result) return answerResponse(result, all);
  const kept = readDraft<Draft>(result.draft);
  if (kept instanceof ApiError) return answerResponse(errorAnswer(kept), all);
  return { ...kept, made: result.made, headers: all };
}

/** Sends the answer to an order that was executed, or an error instead. */
export function respond({ headers }: Pick<Executed<unknown>, 'headers'>, answer: Answer | ApiError): Response {
  return answerResponse(answer instanceof ApiError ? errorAnswer(answer) : answer, headers);
}

function answerResponse({ status, body, location }: Answer, headers: Record<string, string>): Response {
  const where = location === null ? {} : { Location: location };
  return new Response(body, { status, headers: { 'Content-Type': 'application/json', ...headers, ...where } });
}

function limited(by: 'throttle' | 'quota', limits: LimitReport, headers: Record<string, string>): ApiError {
  const retryAfter = String(limits[by].resetSeconds);
  return new ApiError(by === 'quota' ? 'quota_exceeded' : 'throttled', {
    headers: { ...headers, [HEADER.retryAfter]: retryAfter },
  });
}
