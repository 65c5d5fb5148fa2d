import { isTitle, TITLE_LIMIT } from '@terse/contract';
import { validateLinkForm } from '../domain/links/link-form-messages.ts';
import type { LinkRules, ValidLink } from '../domain/links/link-rules.ts';
import { importedCodeError } from '../domain/links/short-codes.ts';
import type { Exclusion } from './formats/format.ts';
import type { SourceLink } from './record-to-link.ts';

/** The rules for links that come from elsewhere. */
export interface ImportRules extends LinkRules {
  /** Whether codes may be words that are reserved for the service. */
  mayUseReserved: boolean;
}

const EXCLUSION_PROBLEMS: Record<Exclusion, string> = {
  password: 'This link needs a password. Terse has no passwords for links, so anybody could open it here.',
  banned: 'This link is banned on the service it comes from.',
  disabled: 'This link is disabled on the service it comes from.',
  deleted: 'This link is deleted on the service it comes from.',
  warning: 'The service it comes from shows a warning before this link. Terse cannot, so it would open at once here.',
  notYet: 'This link does not work yet. Terse has no first day for links, so anybody could open it now.',
  usedUp: 'This link was opened as often as it may be. Terse has no limit of clicks, so anybody could open it again.',
};

const NO_URL = 'The file does not say where this link leads.';
const BARE_DOMAIN =
  'This is the link of the bare domain, without a short code. Whoever runs this service can lead the bare domain somewhere by TERSE_HOME_URL.';
const MALFORMED_CODE =
  'This short code cannot be part of an address: it has more than 255 characters, a space, an empty part, or one of ? # % \\.';

/**
 * Turns a link of a file into one to be made, or says what is wrong with it. One that has expired already is imported as it is,
 * and a title that is too long is cut: neither is worth a link that was printed.
 */
export function validateSourceLink(
  link: SourceLink,
  rules: ImportRules,
  now: number,
): { link: ValidLink & { createdAt: number } } | { problem: string } {
  if (link.exclusion) return { problem: EXCLUSION_PROBLEMS[link.exclusion] };
  if (link.code === '') return { problem: BARE_DOMAIN };
  if (link.url === '') return { problem: NO_URL };
  if (link.code !== null && importedCodeError(link.code, true) === 'malformed') return { problem: MALFORMED_CODE };
  const { url, code, title, expiresAt } = link;
  const validated = validateLinkForm(
    { url, code: code ?? '', title: cutTitle(title), expiresAt },
    { ...rules, codeFault: (text) => importedCodeError(text, rules.mayUseReserved) },
  );
  if ('problems' in validated) {
    const problem = Object.values(validated.problems).find((sentence) => sentence !== null);
    return { problem: problem ?? 'This row is not a link.' };
  }
  const { createdAt } = link;
  const made = typeof createdAt === 'number' && createdAt > 0 && createdAt <= now ? createdAt : now;
  return { link: { ...validated.link, createdAt: made } };
}

/** As much of a title as is kept. */
function cutTitle(title: string): string {
  return isTitle(title) ? title : [...title].slice(0, TITLE_LIMIT).join('');
}
