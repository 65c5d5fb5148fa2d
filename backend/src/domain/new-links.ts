import { TITLE_LIMIT } from '@terse/contract';
import { generatedCodes, isReserved, isShortCode } from './codes.ts';
import type { Random } from './random.ts';
import { plainTitle } from './titles.ts';
import { judgeTarget, type TargetRules } from './urls.ts';

/** A link as somebody asks for it, by the API, a form or a row of a file. */
export interface AskedLink {
  url: string;
  /** Null where one is to be made up. */
  code: string | null;
  title: string | null;
  /** An instant, or `invalid` where what was said is none. */
  expiresAt: number | 'invalid' | null;
}

export interface LinkRules {
  targets: TargetRules;
  random: Random;
}

/** What is wrong with a link, by field; null where nothing is. */
export interface LinkFaults {
  url: 'invalid_url' | 'target_refused' | null;
  code: 'malformed' | 'reserved' | null;
  title: 'too_long' | null;
  expiresAt: 'invalid' | null;
}

export interface JudgedLink {
  codes: Iterable<string>;
  url: string;
  title: string | null;
  expiresAt: number | null;
}

/** The rules for every link, wherever it comes from; whether an expiry may have passed is for each of them to say. */
export function judgeLink(asked: AskedLink, { targets, random }: LinkRules) {
  const { url, code, title, expiresAt } = asked;
  const target = judgeTarget(url, targets);
  const faults: LinkFaults = {
    url: 'refused' in target ? target.refused : null,
    code: code === null ? null : codeFault(code),
    title: titleFault(title),
    expiresAt: expiryFault(expiresAt),
  };
  if ('refused' in target || Object.values(faults).some((fault) => fault !== null)) return { faults };
  const link: JudgedLink = {
    codes: code === null ? generatedCodes(random) : [code],
    url: target.href,
    title: plainTitle(title),
    expiresAt: expiresAt === 'invalid' ? null : expiresAt,
  };
  return { link };
}

function codeFault(code: string): LinkFaults['code'] {
  if (!isShortCode(code)) return 'malformed';
  return isReserved(code) ? 'reserved' : null;
}

export function titleFault(title: string | null): LinkFaults['title'] {
  return title !== null && title.length > TITLE_LIMIT ? 'too_long' : null;
}

/** Other years ISO 8601 writes in a form few programs read; a zone can lead there from a year that looks fine. */
const [EARLIEST, LATEST] = [Date.parse('0000-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];

export function expiryFault(expiresAt: AskedLink['expiresAt']): LinkFaults['expiresAt'] {
  if (expiresAt === null) return null;
  return expiresAt !== 'invalid' && expiresAt >= EARLIEST && expiresAt <= LATEST ? null : 'invalid';
}
