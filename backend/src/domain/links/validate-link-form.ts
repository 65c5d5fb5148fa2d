import { INVALID_URL_MESSAGE, TAG_LENGTH_LIMIT, TAGS_LIMIT, TITLE_LIMIT } from '@terse/contract';
import { completeAddress, hasSecondUrl, trimAddress } from '@terse/contract/addresses';
import {
  expiryError,
  type LinkErrors,
  type LinkInput,
  type LinkRules,
  type ValidLink,
  validateLink,
} from './link-rules.ts';
import type { LinkEdit, StoredLink } from './stored-link.ts';
import { normalizeTags, normalizeTitle, titleError } from './titles-and-tags.ts';
import { type TargetFault, type TargetRules, validateTarget } from './validate-target.ts';

/** A link as entered in a form or in a row of an import file. Omitted fields are empty. */
export interface LinkForm {
  url: string;
  code: string;
  /** Name of the domain. Empty for the default domain. */
  domain?: string;
  title: string;
  expiresAt: LinkInput['expiresAt'];
  /** Null if the service's default applies. */
  forwardQuery: boolean | null;
  tags: string[];
}

export type LinkProblems = Record<keyof LinkErrors, string | null>;

const SENTENCES = {
  code: {
    malformed: 'A short code has 3 to 64 characters: letters, digits, hyphens and underscores.',
    reserved: 'This short code is reserved for the server.',
  },
  domain: { unknown: 'This server does not have the domain that you chose. Choose one from this list.' },
  title: { too_long: `A title can have at most ${TITLE_LIMIT} characters.` },
  expiresAt: { invalid: 'This is not a date and time.' },
  tags: { invalid: `A link can have at most ${TAGS_LIMIT} tags, each with at most ${TAG_LENGTH_LIMIT} characters.` },
};

const URL_SENTENCES: Record<Exclude<TargetFault, 'too_long'>, string> = {
  invalid_url: INVALID_URL_MESSAGE,
  other_scheme: 'Only http:// and https:// addresses can be shortened.',
  user_info: 'This URL contains a user name or a password. Remove the part between “//” and “@”.',
  target_refused:
    'This server does not link there: the address is its own, on a private network, or on a blocked host.',
};

/** Returns the message for a URL that is refused. */
export function urlProblem(fault: TargetFault, { maxUrlBytes }: TargetRules): string {
  if (fault !== 'too_long') return URL_SENTENCES[fault];
  return `This URL is too long. This server accepts at most ${maxUrlBytes.toLocaleString('en')} bytes.`;
}

const EXPIRY_PASSED = 'This time has passed. Please choose one in the future.';

/** Validates a link from an import file. Unlike new links, imported links may have expired. */
export function validateLinkForm(
  { url, code, ...others }: LinkForm,
  rules: LinkRules,
): { link: ValidLink } | { problems: LinkProblems } {
  const validated = validateLink({ ...others, url: singleAddress(url), code: code.trim() || null }, rules);
  if (validated.link) return { link: validated.link };
  const { faults } = validated;
  const problems = {
    url: faults.url && urlProblem(faults.url, rules.targets),
    code: faults.code && SENTENCES.code[faults.code],
    domain: faults.domain && SENTENCES.domain[faults.domain],
    title: faults.title && SENTENCES.title[faults.title],
    expiresAt: faults.expiresAt && SENTENCES.expiresAt[faults.expiresAt],
    tags: faults.tags && SENTENCES.tags[faults.tags],
  };
  return { problems };
}

/** Validates a link from a form. The expiry must be in the future. */
export function validateNewLink(
  form: LinkForm,
  rules: LinkRules,
  now: number,
): { link: ValidLink } | { problems: LinkProblems } {
  const validated = validateLinkForm(form, rules);
  const expiresAt = expiryProblem(form.expiresAt, now);
  if (expiresAt === null) return validated;
  const others =
    'problems' in validated ? validated.problems : { url: null, code: null, domain: null, title: null, tags: null };
  return { problems: { ...others, expiresAt } };
}

/**
 * Validates changes to a link. An unchanged URL is not validated, so that users can still rename a link after its
 * host was blocked. The same applies to an unchanged expiry.
 */
export function validateEdit(
  { url, title, expiresAt, forwardQuery, ...form }: Omit<LinkForm, 'code' | 'domain'>,
  link: StoredLink,
  targets: TargetRules,
  now: number,
): { edit: LinkEdit } | { problems: Omit<LinkProblems, 'code' | 'domain'> } {
  const target = url.trim() === link.url ? { href: link.url } : validateTarget(singleAddress(url), targets);
  const titleProblem = titleError(title);
  const tags = normalizeTags(form.tags);
  const problems = {
    url: 'refused' in target ? urlProblem(target.refused, targets) : null,
    title: titleProblem && SENTENCES.title[titleProblem],
    expiresAt: expiresAt === link.expiresAt ? null : expiryProblem(expiresAt, now),
    tags: tags === 'invalid' ? SENTENCES.tags.invalid : null,
  };
  if ('refused' in target || tags === 'invalid' || expiresAt === 'invalid' || problems.title || problems.expiresAt) {
    return { problems };
  }
  return { edit: { url: target.href, title: normalizeTitle(title), expiresAt, forwardQuery, tags } };
}

/** Returns the address in a field, or an empty text if the field contains two. */
function singleAddress(text: string): string {
  const address = trimAddress(text);
  return hasSecondUrl(address) ? '' : address;
}

function expiryProblem(expiresAt: LinkForm['expiresAt'], now: number): string | null {
  const fault = expiryError(expiresAt);
  if (fault) return SENTENCES.expiresAt[fault];
  return typeof expiresAt === 'number' && expiresAt <= now ? EXPIRY_PASSED : null;
}

export const HTTPS_ADDED = 'We added https://, which was missing. Is this the address you mean?';

/**
 * Adds `https://` to a URL that a user typed without a scheme, such as `example.com/page`. Returns null if the text
 * does not start with a host, or if links to this URL are not allowed.
 */
export function withHttps(text: string, targets: TargetRules): string | null {
  const guess = completeAddress(text);
  if (!guess?.startsWith('https:') || /^https:/i.test(trimAddress(text))) return null;
  return 'refused' in validateTarget(guess, targets) ? null : guess;
}
