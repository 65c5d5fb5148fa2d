import { CreateLinkRequest, type Link, readInstant, ShortenRequest } from '@terse/contract';
import * as z from 'zod/mini';
import { apiLink } from '../../domain/api-link.ts';
import { validateLink } from '../../domain/link-rules.ts';
import type { NewLink, StoredLink } from '../../store/store.ts';
import type { Services } from '../endpoint.ts';
import { ApiError } from '../errors.ts';
import { fieldError } from './field-errors.ts';

/** A link that a request asks for, validated and not made yet. */
export interface LinkDraft {
  link: NewLink;
  /**
   * The link as it is answered.
   *
   * @param made what the store made of it; null where all its codes were taken
   * @throws ApiError `short_code_taken` where a chosen code was not free
   */
  answer(made: StoredLink | null | undefined): Link;
}

const AnyObject = z.looseObject({});

/**
 * Validates a link to be made, whichever endpoint it came through. Fields that are not known are ignored.
 *
 * @throws ApiError for the first thing that is wrong with it
 */
export function draftLink(
  body: unknown,
  { clock, random, targets, shortBaseUrl }: Pick<Services, 'clock' | 'random' | 'targets' | 'shortBaseUrl'>,
): LinkDraft {
  if (!AnyObject.safeParse(body).success) {
    throw new ApiError('invalid_request', { sentence: 'A link is asked for by a JSON object with a "url".' });
  }
  const { data, error } = CreateLinkRequest.safeParse(body);
  const { shortCode, title, expiresAt } = data ?? {};
  const input = {
    url: ShortenRequest.safeParse(body).data?.url ?? '',
    code: shortCode ?? null,
    title: title ?? null,
    expiresAt: expiresAt ? (readInstant(expiresAt) ?? 'invalid') : null,
  } as const;
  const { link, faults } = validateLink(input, { targets, random });
  if (faults?.url) throw new ApiError(faults.url);
  if (error) throw fieldError(error);
  if (faults?.code) throw new ApiError('invalid_short_code');
  if (faults?.title) throw new ApiError('invalid_title');
  if (!link || (link.expiresAt !== null && link.expiresAt <= clock())) throw new ApiError('invalid_expiry');
  return {
    link,
    answer(made) {
      if (made) return apiLink(made, shortBaseUrl);
      if (shortCode) throw new ApiError('short_code_taken');
      throw new Error('No free short code was found.');
    },
  };
}
