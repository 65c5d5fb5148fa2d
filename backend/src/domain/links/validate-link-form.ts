import { INVALID_URL_MESSAGE, TAG_LENGTH_LIMIT, TAGS_LIMIT, TITLE_LIMIT } from '@terse/contract';
import { completeAddress, hasSecondUrl, trimAddress } from '@terse/contract/addresses';
import {
  type LinkFaults,
  type LinkInput,
  type LinkRules,
  type TargetFault,
  type TargetRules,
  type ValidLink,
  validateEdit,
  validateLink,
  validateTarget,
} from './link-rules.ts';
import type { LinkEdit, StoredLink } from './stored-link.ts';

/** Message for each field of a form. Null if the field is valid. */
export type LinkProblems = Record<keyof LinkFaults, string | null>;

const MESSAGES = {
  code: {
    malformed: 'A short code has 3 to 64 characters: letters, digits, hyphens and underscores.',
    reserved: 'This short code is reserved for the server.',
  },
  domain: { unknown: 'This server does not have the domain that you chose. Choose one from this list.' },
  title: { too_long: `A title can have at most ${TITLE_LIMIT} characters.` },
  expiresAt: {
    invalid: 'This is not a date and time.',
    past: 'This time has passed. Please choose one in the future.',
  },
  tags: { invalid: `A link can have at most ${TAGS_LIMIT} tags, each with at most ${TAG_LENGTH_LIMIT} characters.` },
};

const URL_MESSAGES: Record<Exclude<TargetFault, 'too_long'>, string> = {
  invalid_url: INVALID_URL_MESSAGE,
  other_scheme: 'Only http:// and https:// addresses can be shortened.',
  user_info: 'This URL contains a user name or a password. Remove the part between “//” and “@”.',
  target_refused:
    'This server does not link there: the address is its own, on a private network, or on a blocked host.',
};

/** Returns the message for a URL that is refused. */
export function urlProblem(fault: TargetFault, { maxUrlBytes }: TargetRules): string {
  if (fault !== 'too_long') return URL_MESSAGES[fault];
  return `This URL is too long. This server accepts at most ${maxUrlBytes.toLocaleString('en')} bytes.`;
}

function problemsOf({ url, code, domain, title, expiresAt, tags }: LinkFaults, targets: TargetRules): LinkProblems {
  return {
    url: url ? urlProblem(url, targets) : null,
    code: code ? MESSAGES.code[code] : null,
    domain: domain ? MESSAGES.domain[domain] : null,
    title: title ? MESSAGES.title[title] : null,
    expiresAt: expiresAt ? MESSAGES.expiresAt[expiresAt] : null,
    tags: tags ? MESSAGES.tags[tags] : null,
  };
}

/**
 * Validates a new link from a form or from a row of an import file.
 *
 * @param form fields of the link; an empty short code means that the service generates one
 * @param now current time, or null if the link may have expired
 */
export function validateLinkForm(
  form: LinkInput & { code: string },
  rules: LinkRules,
  now: number | null,
): { link: ValidLink } | { problems: LinkProblems } {
  const input = { ...form, url: singleAddress(form.url), code: form.code.trim() || null };
  const validated = validateLink(input, rules, now);
  return 'link' in validated ? validated : { problems: problemsOf(validated.faults, rules.targets) };
}

/**
 * Validates changes to a link. An unchanged URL is not validated, so that users can still rename a link after its
 * host was blocked. The same applies to an unchanged expiry.
 */
export function validateEditedLink(
  form: Omit<LinkInput, 'code' | 'domain'>,
  link: StoredLink,
  targets: TargetRules,
  now: number,
): { edit: LinkEdit } | { problems: LinkProblems } {
  const changes = {
    ...form,
    url: form.url.trim() === link.url ? undefined : singleAddress(form.url),
    expiresAt: form.expiresAt === link.expiresAt ? undefined : form.expiresAt,
  };
  const { edit, faults } = validateEdit(changes, targets, now);
  return Object.keys(faults).length > 0 ? { problems: problemsOf(faults, targets) } : { edit };
}

/** Returns the address in a field, or an empty text if the field contains two. */
function singleAddress(text: string): string {
  const address = trimAddress(text);
  return hasSecondUrl(address) ? '' : address;
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
