import type { ErrorCode } from '@terse/contract';
import type * as z from 'zod/mini';
import { ApiError } from '../errors.ts';

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
