import { completeAddress, hasSecondUrl, trimAddress } from '@terse/contract/addresses';
import {
  type LinkInput,
  type LinkProblems,
  type LinkRules,
  type TargetRules,
  type ValidLink,
  validateEdit,
  validateLink,
} from './link-rules.ts';
import type { LinkEdit, StoredLink } from './stored-link.ts';

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
  return validateLink({ ...form, url: singleAddress(form.url), code: form.code.trim() || null }, rules, now);
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
  const { edit, problems } = validateEdit(changes, targets, now);
  return Object.keys(problems).length > 0 ? { problems } : { edit };
}

/** Returns the address in a field, or an empty text if the field contains two. */
function singleAddress(text: string): string {
  const address = trimAddress(text);
  return hasSecondUrl(address) ? '' : address;
}

/** Adds the scheme to an address that a user typed without one, such as `example.com/page`. */
export function withScheme(text: string): string {
  const address = trimAddress(text);
  return /^https?:/i.test(address) || hasSecondUrl(address) ? text : (completeAddress(address) ?? text);
}
