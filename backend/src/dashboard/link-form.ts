import { INVALID_URL_SENTENCE, TITLE_LIMIT } from '@terse/contract';
import {
  expiryFault,
  type LinkFaults,
  type LinkInput,
  type LinkRules,
  titleFault,
  type ValidLink,
  validateLink,
} from '../domain/link-rules.ts';
import { plainTitle } from '../domain/titles.ts';

/** A link as a form or a row of a file has it: as text, empty where a field was left out. */
export interface LinkForm {
  url: string;
  code: string;
  title: string;
  expiresAt: LinkInput['expiresAt'];
}

/** What is wrong with each field, in a sentence; null where nothing is. */
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

/** Checks a link by the rules for every link, and words what is wrong with it. */
export function validateLinkForm(
  { url, code, title, expiresAt }: LinkForm,
  rules: LinkRules,
): { link: ValidLink } | { problems: LinkProblems } {
  const validated = validateLink({ url: url.trim(), code: code.trim() || null, title, expiresAt }, rules);
  if (validated.link) return { link: validated.link };
  const { faults } = validated;
  const problems = {
    url: faults.url && SENTENCES.url[faults.url],
    code: faults.code && SENTENCES.code[faults.code],
    title: faults.title && SENTENCES.title[faults.title],
    expiresAt: faults.expiresAt && SENTENCES.expiresAt[faults.expiresAt],
  };
  return { problems };
}

/** Checks the title and expiry of a link that is edited. */
export function validateDetails({ title, expiresAt }: Pick<LinkForm, 'title' | 'expiresAt'>) {
  const [titleIs, expiryIs] = [titleFault(title), expiryFault(expiresAt)];
  return {
    title: { value: plainTitle(title), problem: titleIs && SENTENCES.title[titleIs] },
    expiresAt: {
      value: expiresAt === 'invalid' ? null : expiresAt,
      problem: expiryIs && SENTENCES.expiresAt[expiryIs],
    },
  };
}
