import { CreateLinkRequest, type ErrorCode, type Link, parseDateTime, ShortenRequest } from '@terse/contract';
import * as z from 'zod/mini';
import { linkJson } from '../domain/links/link-json.ts';
import { validateLink } from '../domain/links/link-rules.ts';
import type { NewLink } from '../domain/links/stored-link.ts';
import { ApiError } from '../http/api-error.ts';
import type { CreateResult } from '../store/interface/create-request-store.ts';
import type { Services } from './endpoint.ts';

/** The error for each field of a link, in the order they are reported. */
const BY_FIELD: Record<string, ErrorCode> = {
  url: 'invalid_url',
  shortCode: 'invalid_short_code',
  expiresAt: 'invalid_expiry',
  title: 'invalid_title',
};

/** The error of the first field that has not the form its schema gives it. */
export function fieldError({ issues }: Pick<z.core.$ZodError, 'issues'>): ApiError {
  const wrong = new Set(issues.map(({ path }) => path[0]));
  const [, code] = Object.entries(BY_FIELD).find(([field]) => wrong.has(field)) ?? [];
  return new ApiError(code ?? 'invalid_request');
}

const AnyObject = z.looseObject({});

/**
 * Validates a new link, for every endpoint that makes some. Unknown fields are ignored.
 *
 * @throws ApiError for the first thing that is wrong with it
 */
export function parseLinkInput(
  body: unknown,
  { clock, random, targets }: Pick<Services, 'clock' | 'random' | 'targets'>,
): NewLink {
  if (!AnyObject.safeParse(body).success) {
    throw new ApiError('invalid_request', { sentence: 'A link is asked for by a JSON object with a "url".' });
  }
  const { data, error } = CreateLinkRequest.safeParse(body);
  const { shortCode, title, expiresAt } = data ?? {};
  const input = {
    url: ShortenRequest.safeParse(body).data?.url ?? '',
    code: shortCode ?? null,
    title: title ?? null,
    expiresAt: expiresAt ? (parseDateTime(expiresAt) ?? 'invalid') : null,
  } as const;
  const { link, faults } = validateLink(input, { targets, random });
  if (faults?.url) throw new ApiError(faults.url);
  if (error) throw fieldError(error);
  if (faults?.code) throw new ApiError('invalid_short_code');
  if (faults?.title) throw new ApiError('invalid_title');
  if (!link || (link.expiresAt !== null && link.expiresAt <= clock())) throw new ApiError('invalid_expiry');
  return link;
}

/**
 * A link as the request that made it is answered.
 *
 * @param made null where its code was chosen and not free
 * @throws ApiError `short_code_taken`, `idempotency_key_reused`
 */
export function answerLink(made: CreateResult['made'][number] | undefined, shortBaseUrl: string): Link {
  if (made === 'reused') throw new ApiError('idempotency_key_reused');
  if (!made) throw new ApiError('short_code_taken');
  return linkJson({ ...made, clicks: 0 }, shortBaseUrl);
}
