import { INVALID_URL_SENTENCE, TITLE_LIMIT } from '@terse/contract';
import {
  type AskedLink,
  expiryFault,
  type JudgedLink,
  judgeLink as judge,
  type LinkFaults,
  type LinkRules,
  titleFault,
} from '../domain/new-links.ts';
import { plainTitle } from '../domain/titles.ts';

/** A link as a form or a row of a file asks for it: text, empty where nothing was said. */
export interface WantedLink {
  url: string;
  code: string;
  title: string;
  expiresAt: AskedLink['expiresAt'];
}

/** Sentences for what is wrong, by field. */
export type LinkProblems = Record<keyof LinkFaults, string | null>;

const SENTENCES = {
  url: {
    invalid_url: INVALID_URL_SENTENCE,
    target_refused:
      'Links must not lead there: it is this service itself, a network that is not public, or a blocked host.',
  },
  code: {
    malformed: 'A short code is 3 to 64 letters, digits, hyphens or underscores.',
    reserved: 'This short code is reserved for the service.',
  },
  title: { too_long: `A title has at most ${TITLE_LIMIT} characters.` },
  expiresAt: { invalid: 'This is not a date and time.' },
};

/** Judges a link by the rules of every link, in sentences for people. */
export function judgeLink(
  { url, code, title, expiresAt }: WantedLink,
  rules: LinkRules,
): { link: JudgedLink } | { problems: LinkProblems } {
  const judged = judge({ url: url.trim(), code: code.trim() || null, title, expiresAt }, rules);
  if (judged.link) return { link: judged.link };
  const { faults } = judged;
  const problems = {
    url: faults.url && SENTENCES.url[faults.url],
    code: faults.code && SENTENCES.code[faults.code],
    title: faults.title && SENTENCES.title[faults.title],
    expiresAt: faults.expiresAt && SENTENCES.expiresAt[faults.expiresAt],
  };
  return { problems };
}

/** Judges what of a link can be changed later. */
export function judgeDetails({ title, expiresAt }: Pick<WantedLink, 'title' | 'expiresAt'>) {
  const [titleIs, expiryIs] = [titleFault(title), expiryFault(expiresAt)];
  return {
    title: { value: plainTitle(title), problem: titleIs && SENTENCES.title[titleIs] },
    expiresAt: {
      value: expiresAt === 'invalid' ? null : expiresAt,
      problem: expiryIs && SENTENCES.expiresAt[expiryIs],
    },
  };
}
