import { CreateLinkRequest, type Link, ShortenRequest, TITLE_LIMIT } from '@terse/contract';
import * as z from 'zod/mini';
import { judgeLink } from '../../domain/new-links.ts';
import { presentLink } from '../../domain/present.ts';
import type { NewLink, StoredLink } from '../../store/store.ts';
import type { Services } from '../endpoint.ts';
import { ApiError } from '../errors.ts';

/** One link somebody asks for: what the store is to make, and what to say of what it made. */
export interface PlannedLink {
  link: NewLink;
  /** @throws ApiError `short_code_taken` where a chosen code was not free */
  present(made: StoredLink | null | undefined): Link;
}

type Planner = Pick<Services, 'clock' | 'random' | 'targets' | 'shortBaseUrl'>;

const AnyObject = z.looseObject({});

/**
 * Judges one link to be made, whichever endpoint it came through. Fields that are not known are ignored.
 *
 * @throws ApiError naming the first thing that is wrong with it
 */
export function planLink(body: unknown, { clock, random, targets, shortBaseUrl }: Planner): PlannedLink {
  if (!AnyObject.safeParse(body).success) {
    throw new ApiError('invalid_request', { sentence: 'A link is asked for by a JSON object with a "url".' });
  }
  const { data, error } = CreateLinkRequest.safeParse(body);
  const { shortCode, title, expiresAt } = data ?? {};
  const asked = {
    url: ShortenRequest.safeParse(body).data?.url ?? '',
    code: shortCode ?? null,
    title: title ?? null,
    expiresAt: expiresAt ? Date.parse(expiresAt) : null,
  };
  const { link, faults } = judgeLink(asked, { targets, random });
  if (faults?.url) throw new ApiError(faults.url);
  if (error) throw invalidField(error.issues.map(({ path }) => path[0]));
  if (faults?.code) throw new ApiError('invalid_short_code');
  if (!link || (link.expiresAt !== null && link.expiresAt <= clock())) throw new ApiError('invalid_expiry');
  return {
    link,
    present(made) {
      if (made) return presentLink(made, shortBaseUrl);
      if (shortCode) throw new ApiError('short_code_taken');
      throw new Error('No free short code was found.');
    },
  };
}

function invalidField(fields: unknown[]): ApiError {
  if (fields.includes('shortCode')) return new ApiError('invalid_short_code');
  if (fields.includes('expiresAt')) return new ApiError('invalid_expiry');
  return new ApiError('invalid_request', { sentence: `A title is text of at most ${TITLE_LIMIT} characters.` });
}
