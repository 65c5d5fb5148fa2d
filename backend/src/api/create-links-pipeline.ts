import { type ErrorCode, HEADER } from '@terse/contract';
import type { Context } from 'hono';
import { quotasOf } from '../domain/limits/account-quotas.ts';
import { fingerprint, isIdempotencyKey } from '../domain/limits/idempotency-key.ts';
import type { LimitReport } from '../domain/limits/key-limits.ts';
import type { NewLink } from '../domain/links/stored-link.ts';
import { type Answer, ApiError, errorAnswer, errorResponse, orApiError } from '../http/api-error.ts';
import type { CreateOutcome, CreateRequest, CreateResult } from '../store/interface/create-request-store.ts';
import { FIRST_ACCOUNT } from '../store/interface/store.ts';
import { checkScope } from './authenticate-and-check-scopes.ts';
import { type Env, limitsOf, type Services } from './endpoint.ts';
import { CutShort, parseJson, readBody } from './json-body.ts';
import { failureLimitHeaders, limitHeaders } from './rate-limits.ts';

/** The service's addresses, as they were when links were made: an answer that is given again has the same. */
export type Addresses = Pick<Services, 'baseUrl' | 'shortBaseUrl'>;

/** An error that is to be worded later. */
export interface DraftError {
  code: ErrorCode;
  sentence: string;
}

export const draftError = ({ code, message }: ApiError): DraftError => ({ code, sentence: message });

/** What an answer is worded from: the request's own draft, or the error that refuses it as a whole. */
type KeptDraft<Draft> = { addresses: Addresses; draft: Draft } | { error: DraftError };

/** A draft as text, as the store keeps it with the links that were made. */
export function writeDraft<Draft>(draft: Draft | ApiError, { baseUrl, shortBaseUrl }: Addresses): string {
  const kept: KeptDraft<Draft> =
    draft instanceof ApiError ? { error: draftError(draft) } : { addresses: { baseUrl, shortBaseUrl }, draft };
  return JSON.stringify(kept);
}

/** Reads a draft back; an error that refused its whole request comes back as such. */
export function readDraft<Draft>(text: string): { addresses: Addresses; draft: Draft } | ApiError {
  const kept = JSON.parse(text) as KeptDraft<Draft>;
  return 'error' in kept ? new ApiError(kept.error.code, kept.error) : kept;
}

/** What all endpoints that create links have in common. They read a request, submit it and word its answer, in that order. */
export const CREATING = { method: 'POST', access: 'create', scope: 'create' } as const;

export interface ParsedCreateRequest {
  idempotency: CreateRequest['idempotency'];
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
): Promise<ParsedCreateRequest> {
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

function refused(error: ApiError): ParsedCreateRequest {
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
  made: CreateResult['made'];
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
  { idempotency }: ParsedCreateRequest,
  order: Order<Draft> | ApiError,
): Promise<Executed<Draft> | Response> {
  const { key } = context.var;
  const [links, draft] = order instanceof ApiError ? [[], order] : [order.links, order.draft];
  const inForce = {
    limits: limitsOf(key, services.limits),
    accountQuota: quotasOf(key.accountId === FIRST_ACCOUNT, services.accountLimits).links,
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
function executed<Draft>(outcome: CreateOutcome, extra: Record<string, string>): Executed<Draft> | Response {
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
