import { INVALID_URL_SENTENCE, TITLE_LIMIT } from '@terse/contract';
import { generatedCodes, isReserved, isShortCode } from '../domain/codes.ts';
import type { Random } from '../domain/random.ts';
import { plainTitle } from '../domain/titles.ts';
import { judgeTarget, type TargetRules } from '../domain/urls.ts';
import type { NewLink } from '../store/store.ts';

/** A link as somebody asks for it, by a form or a row of a file: text, empty where nothing was said. */
export interface AskedLink {
  url: string;
  code: string;
  title: string;
  /** An instant, or null; `invalid` where what was said is none. */
  expiresAt: number | 'invalid' | null;
}

export interface LinkRules {
  targets: TargetRules;
  random: Random;
}

/** Sentences for what is wrong, by field. */
export type LinkProblems = Record<'url' | 'code' | 'title' | 'expiresAt', string | null>;

/** Judges a link by the rules that hold for the API too. */
export function judgeLink(
  asked: AskedLink,
  { targets, random }: LinkRules,
): { link: NewLink } | { problems: LinkProblems } {
  const target = judgeTarget(asked.url.trim(), targets);
  const code = asked.code.trim();
  const { title, expiresAt } = judgeDetails(asked);
  const problems = {
    url: urlProblem(target, asked.url),
    code: codeProblem(code),
    title: title.problem,
    expiresAt: expiresAt.problem,
  };
  if (!('href' in target) || Object.values(problems).some((problem) => problem !== null)) return { problems };
  const codes = code === '' ? generatedCodes(random) : [code];
  return { link: { codes, url: target.href, title: title.value, expiresAt: expiresAt.value } };
}

/** Judges what of a link can be changed later. */
export function judgeDetails({ title, expiresAt }: Pick<AskedLink, 'title' | 'expiresAt'>) {
  return {
    title: {
      value: plainTitle(title),
      problem: title.length > TITLE_LIMIT ? `A title has at most ${TITLE_LIMIT} characters.` : null,
    },
    expiresAt: {
      value: expiresAt === 'invalid' ? null : expiresAt,
      problem: expiresAt === 'invalid' ? 'This is not a date and time.' : null,
    },
  };
}

function urlProblem(target: ReturnType<typeof judgeTarget>, text: string): string | null {
  if (!('refused' in target)) return null;
  if (target.refused === 'invalid_url' || text.trim() === '') return INVALID_URL_SENTENCE;
  return 'Links must not lead there: it is this service itself, a network that is not public, or a blocked host.';
}

function codeProblem(code: string): string | null {
  if (code === '') return null;
  if (!isShortCode(code)) return 'A short code is 3 to 64 letters, digits, hyphens or underscores.';
  return isReserved(code) ? 'This short code is reserved for the service.' : null;
}
