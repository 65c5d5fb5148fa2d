import { INVALID_URL_MESSAGE, TITLE_LIMIT } from '@terse/contract';
import type { LinkEdit, StoredLink } from '../../store/interface/store.ts';
import {
  expiryError,
  type LinkErrors,
  type LinkInput,
  type LinkRules,
  normalizeTitle,
  titleError,
  type ValidLink,
  validateLink,
} from './link-rules.ts';
import { type TargetRules, validateTarget } from './target-url.ts';

/** A link as a form or a row of a file has it: as text, empty where a field was left out. */
export interface LinkForm {
  url: string;
  code: string;
  title: string;
  expiresAt: LinkInput['expiresAt'];
}

/** What is wrong with each field, in a sentence; null where nothing is. */
export type LinkProblems = Record<keyof LinkErrors, string | null>;

const SENTENCES = {
  url: {
    invalid_url: INVALID_URL_MESSAGE,
    target_refused:
      'This service does not link there: the address is its own, on a private network, or on a blocked host.',
  },
  code: {
    malformed: 'A short code has 3 to 64 characters: letters, digits, hyphens and underscores.',
    reserved: 'This short code is reserved for the service.',
  },
  title: { too_long: `A title can have at most ${TITLE_LIMIT} characters.` },
  expiresAt: { invalid: 'This is not a date and time.' },
};

const EXPIRY_PASSED = 'This time has passed. Please choose one in the future.';

/** Checks a link by the rules for every link, and words what is wrong with it. It may have expired already. */
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

/** The same for a link made by hand, which must not have expired already. */
export function validateNewLink(
  form: LinkForm,
  rules: LinkRules,
  now: number,
): { link: ValidLink } | { problems: LinkProblems } {
  const validated = validateLinkForm(form, rules);
  const expiresAt = expiryProblem(form.expiresAt, now);
  if (expiresAt === null) return validated;
  const others = 'problems' in validated ? validated.problems : { url: null, code: null, title: null };
  return { problems: { ...others, expiresAt } };
}

/**
 * Checks the changes to a link. What is left as it was is not checked again: the link of a host that was blocked since
 * may get another title, and one that has expired may stay so.
 */
export function validateEdit(
  { url, title, expiresAt }: Omit<LinkForm, 'code'>,
  link: StoredLink,
  targets: TargetRules,
  now: number,
): { edit: LinkEdit } | { problems: Omit<LinkProblems, 'code'> } {
  const target = url.trim() === link.url ? { href: link.url } : validateTarget(url.trim(), targets);
  const titleProblem = titleError(title);
  const problems = {
    url: 'refused' in target ? SENTENCES.url[target.refused] : null,
    title: titleProblem && SENTENCES.title[titleProblem],
    expiresAt: expiresAt === link.expiresAt ? null : expiryProblem(expiresAt, now),
  };
  if ('refused' in target || expiresAt === 'invalid' || problems.title || problems.expiresAt) return { problems };
  return { edit: { url: target.href, title: normalizeTitle(title), expiresAt } };
}

function expiryProblem(expiresAt: LinkForm['expiresAt'], now: number): string | null {
  const fault = expiryError(expiresAt);
  if (fault) return SENTENCES.expiresAt[fault];
  return typeof expiresAt === 'number' && expiresAt <= now ? EXPIRY_PASSED : null;
}

/** What to say where the scheme was missing and was added to what the field holds. */
export const HTTPS_ADDED = 'We added https://, which was missing. Is this the address you mean?';

/**
 * The address that somebody who left the scheme out probably means: `https://example.com/page` for `example.com/page`.
 * Null where the text does not begin with a host's name, or where no link may lead there.
 */
export function withHttps(text: string, targets: TargetRules): string | null {
  const typed = text.trim();
  if (!/^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+(:\d+)?([/?#]|$)/u.test(typed)) return null;
  const guess = `https://${typed}`;
  return 'refused' in validateTarget(guess, targets) ? null : guess;
}
