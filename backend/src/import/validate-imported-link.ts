import { isTitle, TITLE_LIMIT } from '@terse/contract';
import type { LinkRules, ValidLink } from '../domain/links/link-rules.ts';
import { domainAt, importedCodeError } from '../domain/links/short-codes.ts';
import { validateLinkForm } from '../domain/links/validate-link-form.ts';
import type { Exclusion } from './formats/format.ts';
import { isPast, type SourceLink } from './record-to-link.ts';

export interface ImportRules extends LinkRules {
  /** True if reserved words are accepted as short codes. */
  mayUseReserved: boolean;
}

const EXCLUSION_PROBLEMS: Record<Exclusion, string> = {
  password: 'This link has a password. Terse does not support passwords, so anyone could open it.',
  banned: 'This link is banned on the other service.',
  disabled: 'This link is disabled on the other service.',
  deleted: 'This link is deleted on the other service.',
  warning:
    'The other service shows a warning before this link. Terse does not support warnings, so it would open directly.',
  notYet: 'This link is not active yet. Terse does not support start dates, so anyone could open it now.',
  unclearStart:
    'The start date of this link cannot be read. Terse does not support start dates, so anyone could open it now.',
  usedUp: 'This link has reached its click limit. Terse does not support click limits, so anyone could open it again.',
};

const NO_URL = 'This link has no long URL in the file.';
const BARE_DOMAIN =
  'This link is for the bare domain, without a short code. The owner of this server can redirect the bare domain with TERSE_HOME_URL.';
const MALFORMED_CODE =
  'This short code cannot be used in a URL: it has more than 255 characters, a space, an empty part, or one of ? # % \\.';

/**
 * Validates a link from a file. Returns the link to create, or the reason why the link is refused.
 *
 * Accepts expired links and shortens long titles, because published short URLs would stop working if such links were
 * refused.
 */
export function validateSourceLink(
  link: SourceLink,
  rules: ImportRules,
  now: number,
): { link: ValidLink & { createdAt: number; importedClicks: number } } | { problem: string } {
  if (link.exclusion) return { problem: EXCLUSION_PROBLEMS[link.exclusion] };
  if (link.code === '') return { problem: BARE_DOMAIN };
  if (link.url === '') return { problem: NO_URL };
  if (link.code !== null && importedCodeError(link.code, true) === 'malformed') return { problem: MALFORMED_CODE };
  const { url, code, title, expiresAt, tags, forwardQuery, clicks: importedClicks } = link;
  const domain = domainAt(link.domain, rules.shortBaseUrls);
  const validated = validateLinkForm(
    { url, code: code ?? '', domain, title: cutTitle(title), expiresAt, tags, forwardQuery },
    { ...rules, codeFault: (text) => importedCodeError(text, rules.mayUseReserved) },
    null,
  );
  if ('problems' in validated) {
    const problem = Object.values(validated.problems).find((message) => message !== null);
    return { problem: problem ?? 'This row is not a link.' };
  }
  const createdAt = link.createdAt !== null && isPast(link.createdAt, now) ? link.createdAt : now;
  return { link: { ...validated.link, createdAt, importedClicks } };
}

function cutTitle(title: string): string {
  return isTitle(title) ? title : [...title].slice(0, TITLE_LIMIT).join('');
}
