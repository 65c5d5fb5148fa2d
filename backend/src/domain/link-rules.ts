import { isTitle } from '@terse/contract';
import { generatedCodes, isReserved, isShortCode } from './codes.ts';
import type { Random } from './random.ts';
import { plainTitle } from './titles.ts';
import { type TargetRules, validateTarget } from './urls.ts';

/** A link as it is asked for, by the API, a form or a row of a file. */
export interface LinkInput {
  url: string;
  /** Null where the service is to make one up. */
  code: string | null;
  title: string | null;
  /** Milliseconds since the epoch, or `invalid` where the text was no instant. */
  expiresAt: number | 'invalid' | null;
}

export interface LinkRules {
  targets: TargetRules;
  random: Random;
  /** What is wrong with a code that was chosen; the rule for new links unless another is given. */
  codeFault?: (code: string) => LinkFaults['code'];
}

/** What is wrong with a link, by field; null where nothing is. */
export interface LinkFaults {
  url: 'invalid_url' | 'target_refused' | null;
  code: 'malformed' | 'reserved' | null;
  title: 'too_long' | null;
  expiresAt: 'invalid' | null;
}

export interface ValidLink {
  /** In the order to try them. */
  codes: Iterable<string>;
  url: string;
  title: string | null;
  expiresAt: number | null;
}

/** The rules for every new link, whichever way it comes in. Whether an expiry may be past is for each way to say. */
export function validateLink(input: LinkInput, { targets, random, codeFault = newCodeFault }: LinkRules) {
  const { url, code, title, expiresAt } = input;
  const target = validateTarget(url, targets);
  const faults: LinkFaults = {
    url: 'refused' in target ? target.refused : null,
    code: code === null ? null : codeFault(code),
    title: titleFault(title),
    expiresAt: expiryFault(expiresAt),
  };
  if ('refused' in target || Object.values(faults).some((fault) => fault !== null)) return { faults };
  const link: ValidLink = {
    codes: code === null ? generatedCodes(random) : [code],
    url: target.href,
    title: plainTitle(title),
    expiresAt: expiresAt === 'invalid' ? null : expiresAt,
  };
  return { link };
}

function newCodeFault(code: string): LinkFaults['code'] {
  if (!isShortCode(code)) return 'malformed';
  return isReserved(code) ? 'reserved' : null;
}

export function titleFault(title: string | null): LinkFaults['title'] {
  return title === null || isTitle(title) ? null : 'too_long';
}

/** RFC 3339 writes these years alone; a zone can lead out of them from a year that looks fine. */
const [EARLIEST, LATEST] = [Date.parse('0000-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];

export function expiryFault(expiresAt: LinkInput['expiresAt']): LinkFaults['expiresAt'] {
  if (expiresAt === null) return null;
  return expiresAt !== 'invalid' && expiresAt >= EARLIEST && expiresAt <= LATEST ? null : 'invalid';
}
