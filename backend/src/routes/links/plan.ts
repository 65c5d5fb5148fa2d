import { CreateLinkRequest, type Link, ShortenRequest, TITLE_LIMIT } from '@terse/contract';
import * as z from 'zod/mini';
import { generatedCodes, isReserved } from '../../domain/codes.ts';
import { plainTitle } from '../../domain/titles.ts';
import { judgeTarget } from '../../domain/urls.ts';
import type { NewLink, StoredLink } from '../../store/store.ts';
import type { Services } from '../endpoint.ts';
import { Refusal } from '../errors.ts';
import { presentLink } from './present.ts';

/** One link somebody asks for: what the store is to make, and what to say of what it made. */
export interface PlannedLink {
  link: NewLink;
  /** @throws Refusal `short_code_taken` where a chosen code was not free */
  present(made: StoredLink | null | undefined): Link;
}

type Planner = Pick<Services, 'clock' | 'random' | 'targets' | 'shortBaseUrl'>;

/** Later instants have a year that ISO 8601 writes in a form few programs read; a zone can lead beyond it. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const AnyObject = z.looseObject({});

/**
 * Judges one link to be made, whichever endpoint it came through. Fields that are not known are ignored.
 *
 * @throws Refusal naming the first thing that is wrong with it
 */
export function planLink(body: unknown, { clock, random, targets, shortBaseUrl }: Planner): PlannedLink {
  if (!AnyObject.safeParse(body).success) {
    throw new Refusal('invalid_request', { sentence: 'A link is asked for by a JSON object with a "url".' });
  }
  const target = judgeTarget(ShortenRequest.safeParse(body).data?.url ?? '', targets);
  if ('refused' in target) throw new Refusal(target.refused);
  const { data, error } = CreateLinkRequest.safeParse(body);
  if (error) throw invalidField(error.issues.map(({ path }) => path[0]));
  const { shortCode, expiresAt } = data;
  if (shortCode && isReserved(shortCode)) throw new Refusal('invalid_short_code');
  const expiry = expiresAt ? Date.parse(expiresAt) : null;
  if (expiry !== null && !(expiry > clock() && expiry <= LATEST)) throw new Refusal('invalid_expiry');
  return {
    link: {
      codes: shortCode ? [shortCode] : generatedCodes(random),
      url: target.href,
      title: plainTitle(data.title),
      expiresAt: expiry,
    },
    present(made) {
      if (made) return presentLink(made, shortBaseUrl);
      if (shortCode) throw new Refusal('short_code_taken');
      throw new Error('No free short code was found.');
    },
  };
}

function invalidField(fields: unknown[]): Refusal {
  if (fields.includes('shortCode')) return new Refusal('invalid_short_code');
  if (fields.includes('expiresAt')) return new Refusal('invalid_expiry');
  return new Refusal('invalid_request', { sentence: `A title is text of at most ${TITLE_LIMIT} characters.` });
}
