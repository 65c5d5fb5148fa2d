import { isTitle, SHORT_CODE_PATTERN, TITLE_LIMIT } from '@terse/contract/link-fields';
import { EXPIRIES, type Expiry, expiryAt } from '../../queue/default-expiry.ts';
import type { LinkOptions } from '../../queue/types.ts';
import type { Settings } from '../../storage/settings.ts';

/** A moment as a field for day and time has it: by the person's own calendar, to the minute. */
export function toField(at: number): string {
  const shifted = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** What stands in such a field, in milliseconds; null where it is no moment. */
export function fromField(text: string): number | null {
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

/** What stands in the form. */
export interface Draft {
  code: string;
  title: string;
  /** `own`: the day and time in `expiresAt`. */
  expiry: Expiry | 'own';
  /** As the field has it: the person's own time. */
  expiresAt: string;
}

/** Every choice of an expiry. */
export const EXPIRY_CHOICES = [...EXPIRIES, 'own'] as const;

/** What is wrong with a draft, by field. */
export type DraftFault = 'code' | 'expiresAt';

/** A page's title, no longer than a service takes: an emoji counts once. */
export function shortTitle(title: string): string {
  return isTitle(title) ? title : [...title].slice(0, TITLE_LIMIT).join('');
}

/** When the link of a draft is to expire, in milliseconds; null: never, or no moment stands in the field. */
export function draftExpiry({ expiry, expiresAt }: Draft, now: number): number | null {
  return expiry === 'own' ? fromField(expiresAt) : expiryAt(expiry, now);
}

/** The options of a link as drafted, or the field that keeps it from being sent. */
export function readDraft(draft: Draft, now: number): { options: LinkOptions } | { fault: DraftFault } {
  const code = draft.code.trim();
  if (code !== '' && !SHORT_CODE_PATTERN.test(code)) return { fault: 'code' };
  const at = draftExpiry(draft, now);
  if (draft.expiry === 'own' && (at === null || at <= now)) return { fault: 'expiresAt' };
  const title = shortTitle(draft.title.trim());
  const expiresAt = at === null ? null : new Date(at).toISOString();
  return { options: { shortCode: code || null, title: title || null, expiresAt } };
}

/** What the form begins with. */
export type FormDefaults = Pick<Settings, 'removeTracking' | 'dropTextFragment' | 'expiry'>;

/** What the form is about. */
export interface FormTarget {
  url: string;
  title: string;
  /** The tab that shows it; undefined where it is no page's. */
  tabId: number | undefined;
  /** What was asked for before; absent: nothing. */
  options?: LinkOptions;
  /** The request that this one is asked for instead of. */
  insteadOf?: string;
}

/** What the form makes: an address as it goes out, and what its link is to have. */
export interface DraftedLink {
  url: string;
  title: string;
  userInfoRemoved: boolean;
  options: LinkOptions;
}
