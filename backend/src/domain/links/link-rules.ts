import {
  INVALID_URL_MESSAGE,
  isPrivateTarget,
  isTitle,
  plainHost,
  TAG_LENGTH_LIMIT,
  TAG_PATTERN,
  TAGS_LIMIT,
  TITLE_LIMIT,
} from '@terse/contract';
import { hasLineBreakOrTab, trimAddress } from '@terse/contract/addresses';
import type { Random } from '../clock-and-random.ts';
import {
  domainNames,
  foldCode,
  generateCodes,
  hostOfDomain,
  isReserved,
  isShortCode,
  type ShortBaseUrls,
  storedCode,
} from './short-codes.ts';
import type { LinkEdit, NewLink } from './stored-link.ts';

/** A link as a client, a form or an import file describes it. */
export interface LinkInput {
  url: string;
  /** Null if the service generates the short code. */
  code: string | null;
  /** Name of the domain. Empty for the default domain. */
  domain: string;
  title: string | null;
  /** Milliseconds since 1970. `invalid` if the requested expiry is not a valid date and time. */
  expiresAt: number | 'invalid' | null;
  /** Null if the service's default applies. */
  forwardQuery: boolean | null;
  tags: readonly string[];
}

/** Changes of a link. Undefined fields stay unchanged. */
type EditInput = { [Field in keyof Omit<LinkInput, 'code' | 'domain'>]?: LinkInput[Field] | undefined };

export interface LinkRules {
  targets: TargetRules;
  random: Random;
  shortBaseUrls: ShortBaseUrls;
  /** True if short codes are not case-sensitive. New short codes are then generated in lower case. */
  foldsCase: boolean;
  /** Returns a message for a short code that is refused. If this function is omitted, the rules for new links apply. */
  codeProblem?: (code: string) => string | null;
}

/** Message for each field of a link that is refused. */
export type LinkProblems = { [Field in keyof Omit<LinkInput, 'forwardQuery'>]?: string };

export type ValidLink = Pick<NewLink, 'codes' | 'url' | 'title' | 'expiresAt' | 'forwardQuery' | 'tags'>;

/**
 * Validates a new link.
 *
 * @param now current time, or null if the link may have expired
 */
export function validateLink(
  input: LinkInput,
  rules: LinkRules,
  now: number | null,
): { link: ValidLink } | { problems: LinkProblems } {
  const { shortBaseUrls, foldsCase, codeProblem = newCodeProblem } = rules;
  const { code, domain } = input;
  const host = hostOfDomain(domain, shortBaseUrls);
  const isKnownDomain = host === '' || domainNames(shortBaseUrls).includes(host);
  const wrongCode = code === null ? null : codeProblem(code);
  const { edit, problems } = validateEdit(input, rules.targets, now);
  if (wrongCode) problems.code = wrongCode;
  if (!isKnownDomain) problems.domain = UNKNOWN_DOMAIN;
  if (Object.keys(problems).length > 0) return { problems };
  const codes = code === null ? newCodes(rules, host) : [storedCode(host, foldsCase ? foldCode(code) : code)];
  // A new link has all fields, so the edit is complete.
  return { link: { ...(edit as Required<LinkEdit>), codes } };
}

/**
 * Validates changes of a link, by the same rules as for a new link.
 *
 * @param now current time, or null if the link may have expired
 * @returns the edit, which is incomplete if there are problems
 */
export function validateEdit(
  { url, title, expiresAt, forwardQuery, tags }: EditInput,
  targets: TargetRules,
  now: number | null,
): { edit: LinkEdit; problems: LinkProblems } {
  const edit: LinkEdit = {};
  const problems: LinkProblems = {};
  if (url !== undefined) {
    const target = validateTarget(url, targets);
    if ('refused' in target) problems.url = urlProblem(target.refused, targets);
    else edit.url = target.href;
  }
  if (title !== undefined) {
    if (title !== null && !isTitle(title)) problems.title = TITLE_TOO_LONG;
    edit.title = normalizeTitle(title);
  }
  if (expiresAt !== undefined) {
    if (!isExpiry(expiresAt)) problems.expiresAt = NO_TIME;
    else if (expiresAt !== null && now !== null && expiresAt <= now) problems.expiresAt = PAST_TIME;
    else edit.expiresAt = expiresAt;
  }
  if (forwardQuery !== undefined) edit.forwardQuery = forwardQuery;
  if (tags !== undefined) {
    const normalized = normalizeTags(tags);
    if (normalized === 'invalid') problems.tags = WRONG_TAGS;
    else edit.tags = normalized;
  }
  return { edit, problems };
}

const UNKNOWN_DOMAIN = 'This server does not have the domain that you chose. Choose one from this list.';
const TITLE_TOO_LONG = `A title can have at most ${TITLE_LIMIT} characters.`;
const NO_TIME = 'This is not a date and time.';
const PAST_TIME = 'This time has passed. Please choose one in the future.';
const WRONG_TAGS = `A link can have at most ${TAGS_LIMIT} tags, each with at most ${TAG_LENGTH_LIMIT} characters.`;

function newCodes({ random, foldsCase }: LinkRules, host: string): Iterable<string> {
  return {
    *[Symbol.iterator]() {
      for (const code of generateCodes(random, foldsCase)) yield storedCode(host, code);
    },
  };
}

/**
 * Returns the reason why users cannot choose this short code for a new link. Returns null if the code is valid,
 * although another link may already use it.
 */
export function newCodeProblem(code: string): string | null {
  if (!isShortCode(code)) return 'A short code has 3 to 64 characters: letters, digits, hyphens and underscores.';
  return isReserved(code) ? RESERVED_CODE : null;
}

export const RESERVED_CODE = 'This short code is reserved for the server.';

/**
 * Earliest and latest allowed expiry. RFC 3339 supports only the years 0 to 9999, and converting a valid time to UTC
 * can result in a year outside of this range.
 */
const [EARLIEST, LATEST] = [Date.parse('0000-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];

function isExpiry(expiresAt: LinkInput['expiresAt']): expiresAt is number | null {
  return expiresAt === null || (expiresAt !== 'invalid' && expiresAt >= EARLIEST && expiresAt <= LATEST);
}

/** Time for which a deletion in the dashboard can be undone, in milliseconds. Deletions through the API are final. */
export const UNDO_TIME_MS = 86_400_000;

/**
 * Returns a title on one line. Replaces control characters with spaces. Replaces lone surrogates, which some
 * databases cannot store, with U+FFFD. Returns null if nothing is left.
 */
export function normalizeTitle(text: string | null | undefined): string | null {
  const plain = text
    ?.toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return plain || null;
}

/**
 * Returns the tags to store, each on one line. Tags that differ only in case count as one, and the first of them is
 * kept. Returns `invalid` if there are too many tags, or if a tag is empty, too long or contains a comma.
 */
export function normalizeTags(texts: readonly string[]): string[] | 'invalid' {
  const tags = new Map<string, string>();
  for (const text of texts) {
    const tag = normalizeTag(text);
    if (!TAG_PATTERN.test(tag)) return 'invalid';
    if (!tags.has(tagKey(tag))) tags.set(tagKey(tag), tag);
  }
  return tags.size > TAGS_LIMIT ? 'invalid' : [...tags.values()];
}

/** Splits a comma-separated list of tags and ignores empty entries. */
export function splitTags(text: string): string[] {
  return text.split(',').filter((part) => normalizeTag(part) !== '');
}

/** Returns a key for comparing tags. Tags that differ only in case have the same key. */
export function tagKey(tag: string): string {
  return normalizeTag(tag).toLowerCase();
}

function normalizeTag(text: string): string {
  return (normalizeTitle(text) ?? '').normalize('NFC');
}

/**
 * True if a host has an empty label, such as `example..com`. Such a host is invalid, but some DNS resolvers ignore
 * the extra dot.
 */
export function hasEmptyLabel(host: string): boolean {
  return host.split('.').includes('');
}

/** @param host host as returned by `plainHost` */
export function isLoopbackHost(host: string): boolean {
  return /^(0|127)(\.\d+){3}$|^\[::1?\]$|^(.*\.)?localhost$/.test(host);
}

/** Minimum, default and maximum of the setting that limits the length of long URLs, in bytes. */
export const URL_BYTES = { min: 2048, standard: 8192, max: 32_768 } as const;

export interface TargetRules {
  /** Base URLs of this service. Links to these URLs are refused, because a link could redirect to itself. */
  ownUrls: readonly string[];
  allowPrivate: boolean;
  /** Maximum length of a long URL, in bytes after normalization. */
  maxUrlBytes: number;
  /** True if the operator has blocked the host. Null if no hosts are blocked. */
  blocks: ((host: string) => boolean) | null;
}

/**
 * Reason why a URL is refused. `other_scheme` is a scheme such as `mailto:`, and `user_info` is a user name or password
 * in the URL.
 */
export type TargetFault = 'invalid_url' | 'other_scheme' | 'user_info' | 'too_long' | 'target_refused';

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

export type Target = { href: string } | { refused: TargetFault };

/**
 * Validates the long URL of a link. The URL must use `http:` or `https:`, be valid according to the WHATWG standard,
 * contain no user info, no line breaks and no tabs, and have at most `maxUrlBytes`. Blocked hosts, this service's own
 * hosts and hosts with an empty label are refused. Private hosts are refused unless `allowPrivate` is true.
 *
 * @returns the normalized URL to store and redirect to, or the reason why the URL is refused
 */
export function validateTarget(text: string, rules: TargetRules): Target {
  const address = trimAddress(text);
  // The URL parser would remove line breaks and tabs, and so join two URLs into one.
  if (hasLineBreakOrTab(address)) return { refused: 'invalid_url' };
  const url = URL.parse(address);
  if (!url || isHostWithPort(url)) return { refused: 'invalid_url' };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { refused: 'other_scheme' };
  if (hasEmptyLabel(plainHost(url))) return { refused: 'invalid_url' };
  if (url.username || url.password) return { refused: 'user_info' };
  if (Buffer.byteLength(url.href) > rules.maxUrlBytes) return { refused: 'too_long' };
  if (!rules.allowPrivate && isPrivateTarget(url)) return { refused: 'target_refused' };
  if (rules.ownUrls.some((own) => isOnOwnHost(url, new URL(own)))) return { refused: 'target_refused' };
  if (rules.blocks?.(plainHost(url))) return { refused: 'target_refused' };
  return { href: url.href };
}

/** True for `example.com:8080/page`. The URL parser takes the host for a scheme. */
function isHostWithPort({ protocol, pathname }: URL): boolean {
  return (protocol.includes('.') || protocol === 'localhost:') && /^\d+(\/|$)/.test(pathname);
}

/**
 * True if a URL belongs to this service. On a public host, all ports belong to the service. On the local computer,
 * other ports can belong to other programs.
 */
function isOnOwnHost(url: URL, own: URL): boolean {
  const host = plainHost(url);
  const ownHost = plainHost(own);
  if (isLoopbackHost(ownHost)) return isLoopbackHost(host) && port(url) === port(own);
  return host === ownHost;
}

function port(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80');
}
