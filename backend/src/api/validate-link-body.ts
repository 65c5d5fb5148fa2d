import { CreateLinkRequest, type ErrorCode, parseDateTime, ShortenRequest } from '@terse/contract';
import * as z from 'zod/mini';
import { validateLink } from '../domain/links/link-rules.ts';
import type { NewLink } from '../domain/links/stored-link.ts';
import { urlProblem } from '../domain/links/validate-link-form.ts';
import type { TargetFault, TargetRules } from '../domain/links/validate-target.ts';
import { ApiError } from '../http/api-error.ts';
import type { ApiServices } from './endpoint.ts';

/**
 * Validates a link that a client wants to create. Ignores unknown fields.
 *
 * @throws ApiError for the first invalid field
 */
export function parseLinkInput(
  body: unknown,
  services: Pick<ApiServices, 'clock' | 'random' | 'targets' | 'shortBaseUrls' | 'foldsCase'>,
): NewLink {
  if (!AnyObject.safeParse(body).success) {
    throw new ApiError('invalid_request', { message: 'A link must be a JSON object with a "url".' });
  }
  const { data, error } = CreateLinkRequest.safeParse(body);
  const { shortCode, domain, title, expiresAt, forwardQuery, tags } = data ?? {};
  const input = {
    url: ShortenRequest.safeParse(body).data?.url ?? '',
    code: shortCode ?? null,
    domain: domain ?? null,
    title: title ?? null,
    expiresAt: expiresAt ? (parseDateTime(expiresAt) ?? 'invalid') : null,
    forwardQuery: forwardQuery ?? null,
    tags: tags ?? [],
  } as const;
  const { link, faults } = validateLink(input, services);
  if (faults?.url) throw urlError(faults.url, services.targets);
  if (error) throw fieldError(error);
  if (faults?.code) throw new ApiError('invalid_short_code');
  if (faults?.domain) throw new ApiError('invalid_domain');
  if (faults?.title) throw new ApiError('invalid_title');
  if (faults?.tags) throw new ApiError('invalid_tags');
  if (!link || (link.expiresAt !== null && link.expiresAt <= services.clock())) throw new ApiError('invalid_expiry');
  return link;
}

const AnyObject = z.looseObject({});

/**
 * Returns the error for a URL that cannot be shortened. The error code is `target_refused` if the service blocks the
 * URL, and `invalid_url` otherwise.
 */
export function urlError(fault: TargetFault, targets: TargetRules): ApiError {
  if (fault === 'target_refused') return new ApiError(fault);
  // The specification has one message for all texts that are not http or https URLs.
  if (fault === 'other_scheme') return new ApiError('invalid_url');
  return new ApiError('invalid_url', { message: urlProblem(fault, targets) });
}

/**
 * Error code for each field of a link. If several fields are invalid, the first field in this order determines the
 * error.
 */
const ERROR_BY_FIELD: Record<string, ErrorCode> = {
  url: 'invalid_url',
  shortCode: 'invalid_short_code',
  domain: 'invalid_domain',
  expiresAt: 'invalid_expiry',
  title: 'invalid_title',
  tags: 'invalid_tags',
};

export function fieldError({ issues }: Pick<z.core.$ZodError, 'issues'>): ApiError {
  const invalidFields = new Set(issues.map(({ path }) => path[0]));
  const [, code] = Object.entries(ERROR_BY_FIELD).find(([field]) => invalidFields.has(field)) ?? [];
  return new ApiError(code ?? 'invalid_request');
}
