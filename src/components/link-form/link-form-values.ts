import { linkTitle } from '../../queue/accept.ts';
import { EXPIRIES, expiryAt } from '../../queue/sending.ts';
import type { Expiry, LinkOptions } from '../../queue/types.ts';
import type { Capabilities } from '../../servers/capabilities.ts';
import { readTags } from '../../servers/parse-and-format-tags.ts';
import type { Settings } from '../../storage/settings.ts';
import type { UrlDefaults } from '../../urls/shortenable-url-rules.ts';

/** Formats a time for a `datetime-local` field: in the user's time zone, to the minute. */
export function toField(at: number): string {
  const shifted = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/**
 * Converts the value of a `datetime-local` field to milliseconds since the epoch. Returns null if the value is not a
 * valid time.
 */
export function fromField(text: string): number | null {
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

/** Values of the form's fields. */
export interface Draft extends UrlDefaults {
  code: string;
  title: string;
  /** Tags, separated by commas. */
  tags: string;
  /** If `own`, the date and time in `expiresAt` apply. */
  expiry: Expiry | 'own';
  /** Value of the `datetime-local` field, in the user's time zone. */
  expiresAt: string;
}

export const EXPIRY_CHOICES = [...EXPIRIES, 'own'] as const;

/** Field with an invalid value. */
export type DraftFault = 'code' | 'tags' | 'expiresAt';

/**
 * Returns the time at which the drafted link expires, in milliseconds. Null if the link never expires, or if the
 * field holds no valid time.
 */
export function draftExpiry({ expiry, expiresAt }: Draft, now: number): number | null {
  return expiry === 'own' ? fromField(expiresAt) : expiryAt(expiry, now);
}

/**
 * Returns the options in the form, without those that the server does not support. If a field has an invalid value,
 * returns the first such field.
 */
export function readDraft(
  draft: Draft,
  now: number,
  can: Pick<Capabilities, 'ownCode' | 'title' | 'expiry' | 'tags'>,
): { options: LinkOptions } | { fault: DraftFault } {
  const code = can.ownCode ? draft.code.trim() : '';
  if (code !== '' && !can.ownCode?.test(code)) return { fault: 'code' };
  const tags = can.tags ? readTags(draft.tags) : [];
  if (!tags) return { fault: 'tags' };
  const at = can.expiry ? draftExpiry(draft, now) : null;
  if (can.expiry && draft.expiry === 'own' && (at === null || at <= now)) return { fault: 'expiresAt' };
  const title = can.title ? linkTitle(draft.title) : '';
  const expiresAt = at === null ? null : new Date(at).toISOString();
  const options = { shortCode: code || null, title: title || null, expiresAt };
  return { options: { ...options, ...(tags.length > 0 && { tags }) } };
}

/** Initial settings of the form. */
export type FormDefaults = Pick<Settings, 'removeTracking' | 'dropTextFragment' | 'expiry'>;

/** URL for which the form creates a short link. */
export interface FormTarget {
  url: string;
  title: string;
  /** Options of an earlier request for the same URL, if any. */
  options?: LinkOptions;
  /** Id of the request that the new request replaces. */
  insteadOf?: string;
  /** True to create another link for a URL that already has one. */
  anew?: boolean;
}

/** Result of the form: a cleaned-up URL and the options of the new link. */
export interface DraftedLink {
  url: string;
  title: string;
  userInfoRemoved: boolean;
  options: LinkOptions;
}
