import { SHORT_CODE_PATTERN } from '@terse/contract/short-code';
import { isTitle, TITLE_LIMIT } from '@terse/contract/title';
import { EXPIRIES, type Expiry, expiryAt } from '../queue/expiry.ts';
import type { LinkOptions } from '../queue/types.ts';
import { fromField } from './expiry.ts';

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
