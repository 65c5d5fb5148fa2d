import { type ErrorCode, HEADER } from '@terse/contract';
import type { Context } from 'hono';
import { budgetsOf } from '../domain/budgets.ts';
import { fingerprint, isIdempotencyKey } from '../domain/idempotency.ts';
import type { LimitReport } from '../domain/limits.ts';
import {
  FIRST_ACCOUNT,
  type MadeLink,
  type NewLink,
  type Outcome,
  type Result,
  type Submission,
  type WordedAnswer,
} from '../store/store.ts';
import { CutShort, parseJson, readBody } from './body.ts';
import { type Endpoint, type Env, limitsOf, type Services } from './endpoint.ts';
import { type Answer, ApiError, errorAnswer, errorResponse } from './errors.ts';
import { failureLimitHeaders, limitHeaders } from './limit-headers.ts';
import type { Operation } from './openapi/operation.ts';
import { checkScope } from './scopes.ts';

/** What one body asks for: the links to make, and what else its answer is worded from. */
export interface Planned<Draft> {
  links: NewLink[];
  draft: Draft;
}

/** An endpoint that creates links, apart from what all such have in common. `Draft` is JSON. */
export interface CreateSpec<Draft> {
  path: string;
  doc: Operation;
  /** Reads the parsed body. @throws ApiError where it cannot be executed */
  draft(body: unknown): Planned<Draft>;
  /**
   * Words the answer once the links are made, and again for a replay.
   *
   * @param made in the order of the draft's links; null for one whose chosen code was taken
   * @throws ApiError where that is the answer
   */
  word(draft: Draft, made: (MadeLink | null)[], addresses: Addresses): Answer;
}

/** The service's addresses, as they were when the links were made. */
export type Addresses = Pick<Services, 'baseUrl' | 'shortBaseUrl'>;

/** An error that is to be worded later. */
export interface DraftError {
  code: ErrorCode;
  sentence: string;
}

export const draftError = ({ code, message }: ApiError): DraftError => ({ code, sentence: message });

/** A draft as it is kept: the request's own, or the error that refuses it as a whole. */
type KeptDraft<Draft> = { addresses: Addresses; draft: Draft } | { error: DraftError };

/**
 * An endpoint that creates links: charged to the limits, idempotent, atomic. A request that is refused for what is in
 * it is charged, and its answer kept, like any other.
 */
export function createEndpoint<Draft>(services: Services, spec: CreateSpec<Draft>): Endpoint {
  const { store, limits, accountLimits } = services;
  return {
    method: 'POST',
    path: spec.path,
    access: 'create',
    scope: 'create',
    doc: spec.doc,
    async handle(context) {
      const key = context.get('key');
      const { planned, idempotency, headers } = await read(context, services, spec);
      const limitsInForce = {
        limits: limitsOf(key, limits),
        accountQuota: budgetsOf(key.accountId === FIRST_ACCOUNT, accountLimits).links,
      };
      try {
        const outcome = await store.submissions.submit({ key, ...limitsInForce, idempotency, ...planned });
        if (outcome.kind === 'refused') context.set('limit', outcome.by);
        return respond(outcome, spec, headers);
      } catch (error) {
        const left = () => store.submissions.left(key, limitsInForce);
        for (const [name, value] of await failureLimitHeaders(error, limitsInForce.limits, left)) {
          context.header(name, value);
        }
        throw error;
      }
    },
  };
}

interface Read {
  planned: Pick<Submission, 'links' | 'draft'>;
  idempotency: Submission['idempotency'];
  /** Headers of a refusal, beyond those every answer has. */
  headers: Record<string, string>;
}

async function read<Draft>(
  context: Context<Env>,
  { baseUrl, shortBaseUrl }: Services,
  { path, draft: draftOf }: CreateSpec<Draft>,
): Promise<Read> {
  const kept = (draft: KeptDraft<Draft>) => JSON.stringify(draft);
  let idempotency: Read['idempotency'] = null;
  try {
    const key = context.req.header(HEADER.idempotencyKey);
    if (key !== undefined && !isIdempotencyKey(key)) throw new ApiError('invalid_idempotency_key');
    const body = await readBody(context.req);
    if (key !== undefined) idempotency = { key, endpoint: path, fingerprint: fingerprint(path, body) };
    checkScope(context.var.key, 'create');
    const { links, draft } = draftOf(parseJson(body));
    return {
      planned: { links, draft: kept({ addresses: { baseUrl, shortBaseUrl }, draft }) },
      idempotency,
      headers: {},
    };
  } catch (error) {
    if (!(error instanceof ApiError) || error instanceof CutShort) throw error;
    return { planned: { links: [], draft: kept({ error: draftError(error) }) }, idempotency, headers: error.headers };
  }
}

function respond<Draft>(outcome: Outcome, spec: CreateSpec<Draft>, extra: Record<string, string>): Response {
  const headers = { ...limitHeaders(outcome.limits), ...extra };
  switch (outcome.kind) {
    case 'answered':
      return answerResponse(answerOf(outcome.result, spec), headers);
    case 'replayed':
      return answerResponse(answerOf(outcome.result, spec), { ...headers, [HEADER.idempotencyReplayed]: 'true' });
    case 'reused':
      return errorResponse(new ApiError('idempotency_key_reused', { headers }));
    case 'refused':
      return errorResponse(limited(outcome.by, outcome.limits, headers));
  }
}

function answerOf<Draft>(result: Result | WordedAnswer, { word }: CreateSpec<Draft>): Answer {
  if ('status' in result) return result;
  const kept = JSON.parse(result.draft) as KeptDraft<Draft>;
  if ('error' in kept) return errorAnswer(new ApiError(kept.error.code, kept.error));
  try {
    return word(kept.draft, result.made, kept.addresses);
  } catch (error) {
    if (error instanceof ApiError) return errorAnswer(error);
    throw error;
  }
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
