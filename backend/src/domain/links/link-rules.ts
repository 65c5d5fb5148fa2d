import { isTitle } from '@terse/contract';
import type { Random } from '../clock-and-random.ts';
import { generateCodes, isReserved, isShortCode } from './short-codes.ts';
import { type TargetRules, validateTarget } from './target-url.ts';

/**
 * A title as it is stored: one line, without control characters or lone surrogates, which not every database can store.
 * Null where nothing is left of it.
 */
export function normalizeTitle(text: string | null | undefined): string | null {
  const plain = text
    ?.toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return plain || null;
}

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
  codeFault?: (code: string) => LinkErrors['code'];
}

/** What is wrong with a link, by field; null where nothing is. */
export interface LinkErrors {
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
  const faults: LinkErrors = {
    url: 'refused' in target ? target.refused : null,
    code: code === null ? null : codeFault(code),
    title: titleError(title),
    expiresAt: expiryError(expiresAt),
  };
  if ('refused' in target || Object.values(faults).some((fault) => fault !== null)) return { faults };
  const link: ValidLink = {
    codes: code === null ? generateCodes(random) : [code],
    url: target.href,
    title: normalizeTitle(title),
    expiresAt: expiresAt === 'invalid' ? null : expiresAt,
  };
  return { link };
}

function newCodeFault(code: string): LinkErrors['code'] {
  if (!isShortCode(code)) return 'malformed';
  return isReserved(code) ? 'reserved' : null;
}

export function titleError(title: string | null): LinkErrors['title'] {
  return title === null || isTitle(title) ? null : 'too_long';
}

/** RFC 3339 writes these years alone; a zone can lead out of them from a year that looks fine. */
const [EARLIEST, LATEST] = [Date.parse('0000-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];

export function expiryError(expiresAt: LinkInput['expiresAt']): LinkErrors['expiresAt'] {
  if (expiresAt === null) return null;
  return expiresAt !== 'invalid' && expiresAt >= EARLIEST && expiresAt <= LATEST ? null : 'invalid';
}

/** How long the holder of a link can undo its deletion on the dashboard, in milliseconds. Everywhere else it is final. */
export const UNDO_LIFE = 86_400_000;
