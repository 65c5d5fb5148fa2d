import type { Random } from '../clock-and-random.ts';
import { foldCode, generateCodes, isReserved, isShortCode } from './short-codes.ts';
import { domainNames, hostOfDomain, type ShortBaseUrls, storedCode } from './short-domains.ts';
import type { NewLink } from './stored-link.ts';
import { normalizeTags, normalizeTitle, titleError } from './titles-and-tags.ts';
import { type TargetFault, type TargetRules, validateTarget } from './validate-target.ts';

export interface LinkInput {
  url: string;
  /** Null if the service generates the short code. */
  code: string | null;
  /** Name of the domain. Null for the default domain. */
  domain?: string | null;
  title: string | null;
  /** Milliseconds since 1970. `invalid` if the requested expiry is not a valid date and time. */
  expiresAt: number | 'invalid' | null;
  /** Null if the service's default applies. */
  forwardQuery: boolean | null;
  tags: readonly string[];
}

export interface LinkRules {
  targets: TargetRules;
  random: Random;
  shortBaseUrls: ShortBaseUrls;
  /** True if short codes are not case-sensitive. New short codes are then generated in lower case. */
  foldsCase: boolean;
  /** Validates a short code that the user chose. If this function is omitted, the rules for new links apply. */
  codeFault?: (code: string) => LinkErrors['code'];
}

export interface LinkErrors {
  url: TargetFault | null;
  code: 'malformed' | 'reserved' | null;
  domain: 'unknown' | null;
  title: 'too_long' | null;
  expiresAt: 'invalid' | null;
  tags: 'invalid' | null;
}

export type ValidLink = Pick<NewLink, 'codes' | 'url' | 'title' | 'expiresAt' | 'forwardQuery' | 'tags'>;

/** Validates a link against the rules that apply to all links. Does not check whether the expiry is in the past. */
export function validateLink(input: LinkInput, rules: LinkRules) {
  const { targets, shortBaseUrls, foldsCase, codeFault = newCodeFault } = rules;
  const { url, code, title, expiresAt, forwardQuery } = input;
  const host = hostOfDomain(input.domain ?? '', shortBaseUrls);
  const tags = normalizeTags(input.tags);
  const target = validateTarget(url, targets);
  const faults: LinkErrors = {
    url: 'refused' in target ? target.refused : null,
    code: code === null ? null : codeFault(code),
    domain: host === '' || domainNames(shortBaseUrls).includes(host) ? null : 'unknown',
    title: titleError(title),
    expiresAt: expiryError(expiresAt),
    tags: tags === 'invalid' ? tags : null,
  };
  if ('refused' in target || tags === 'invalid' || Object.values(faults).some((fault) => fault !== null))
    return { faults };
  const link: ValidLink = {
    codes: code === null ? newCodes(rules, host) : [storedCode(host, foldsCase ? foldCode(code) : code)],
    url: target.href,
    title: normalizeTitle(title),
    expiresAt: expiresAt === 'invalid' ? null : expiresAt,
    forwardQuery,
    tags,
  };
  return { link };
}

function newCodes({ random, foldsCase }: LinkRules, host: string): Iterable<string> {
  const codes = generateCodes(random, foldsCase);
  return { [Symbol.iterator]: () => Iterator.from(codes).map((code) => storedCode(host, code)) };
}

/**
 * Returns the reason why users cannot choose this short code for a new link. Returns null if the code is valid,
 * although another link may already use it.
 */
export function newCodeFault(code: string): LinkErrors['code'] {
  if (!isShortCode(code)) return 'malformed';
  return isReserved(code) ? 'reserved' : null;
}

/**
 * Earliest and latest allowed expiry. RFC 3339 supports only the years 0 to 9999, and converting a valid time to UTC
 * can result in a year outside of this range.
 */
const [EARLIEST, LATEST] = [Date.parse('0000-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];

export function expiryError(expiresAt: LinkInput['expiresAt']): LinkErrors['expiresAt'] {
  if (expiresAt === null) return null;
  return expiresAt !== 'invalid' && expiresAt >= EARLIEST && expiresAt <= LATEST ? null : 'invalid';
}

/** Time for which a deletion in the dashboard can be undone, in milliseconds. Deletions through the API are final. */
export const UNDO_TIME_MS = 86_400_000;
