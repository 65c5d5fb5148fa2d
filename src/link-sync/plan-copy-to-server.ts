import { TITLE_LIMIT } from '@terse/contract/link-fields';
import type { ShortenCommand } from '../messages/protocol.ts';
import { isRefusedTarget, isTooLong } from '../queue/accept-requests.ts';
import type { Connection, Link } from '../queue/types.ts';
import type { CodeRules } from '../services/capabilities.ts';
import { capabilitiesOf, shortBaseUrlOf } from '../services/connection-capabilities.ts';
import { validTags } from '../services/parse-and-format-tags.ts';
import { linkKey } from '../storage/merge-service-links.ts';
import { type IsOwnShortUrl, pageTarget } from '../urls/shortenable-url-rules.ts';

/** Plan for copying links to another server: the links to create, and what the copies lose. */
export interface CopyPlan {
  orders: ShortenCommand[];
  /**
   * Number of links that are not copied because they have expired, already exist on the server, are restricted (for
   * example by a password), or have a URL that cannot be shortened there.
   */
  skipped: number;
  /** Number of links that lose their short code, because it is taken or not allowed on the other server. */
  lostCodes: number;
  /** Number of copies that lose all or part of their title, because the server does not store the whole title. */
  lostTitles: number;
  /** Number of copies that lose their expiry date, because the server does not accept the date. */
  lostExpiries: number;
  /** Number of clicks that are lost, because the copied links start at zero clicks. */
  lostClicks: number;
}

/**
 * Plans how links are copied to another server. A copy keeps its short code if the server accepts the code.
 *
 * @param known stored links of the other server
 * @param newId generates the id of each request
 * @param now milliseconds since the epoch
 * @param isOwn recognizes short URLs of the connected servers, which are never shortened again
 */
export function planCopy(
  links: Link[],
  target: Connection,
  known: Link[],
  newId: () => string,
  now: number,
  isOwn: IsOwnShortUrl,
): CopyPlan {
  const can = capabilitiesOf(target);
  const { keepsTitle = () => true, maxLifetimeMs = Number.POSITIVE_INFINITY } = can;
  const there = new Map(known.filter(isOnDomainOf(target)).map((link) => [link.shortCode, link.url]));
  const plan: CopyPlan = { orders: [], skipped: 0, lostCodes: 0, lostTitles: 0, lostExpiries: 0, lostClicks: 0 };
  for (const link of links) {
    const { url, title, shortCode, expiresAt, clicks = 0, isRestricted = false } = link;
    const tags = can.tags ? validTags(link.tags) : [];
    const isExpired = expiresAt !== null && expiresAt <= now;
    const isThere = there.get(shortCode) === url;
    if (isExpired || isRestricted || isThere || !isShortenable(url, target, isOwn)) {
      plan.skipped += 1;
      continue;
    }
    const keepsCode = isAllowed(shortCode, can.ownCode) && !there.has(shortCode);
    // Two selected links from different servers may have the same code. Only the first copy can keep the code.
    if (keepsCode) there.set(shortCode, url);
    const keepsExpiry = can.expiry && (expiresAt === null || expiresAt - now <= maxLifetimeMs);
    const options = {
      shortCode: keepsCode ? shortCode : null,
      title: can.title && title !== '' ? [...title].slice(0, TITLE_LIMIT).join('') : null,
      expiresAt: keepsExpiry && expiresAt !== null ? new Date(expiresAt).toISOString() : null,
      ...(tags.length > 0 && { tags }),
    };
    plan.orders.push({ id: newId(), url, title, options });
    plan.lostCodes += Number(!keepsCode);
    plan.lostTitles += Number(title !== '' && (options.title !== title || !keepsTitle(title)));
    plan.lostExpiries += Number(expiresAt !== null && options.expiresAt === null);
    plan.lostClicks += clicks;
  }
  return plan;
}

/**
 * Returns a function that checks the domain of a link. The function returns true if the server creates new links on
 * the same domain.
 */
function isOnDomainOf(target: Connection): (link: Link) => boolean {
  const { service, domain } = target;
  const named = domain === undefined ? '' : `https://${domain}`;
  const base = (service && shortBaseUrlOf(service, domain)) || named;
  // The server's default domain is still unknown, so any known link may be on it.
  if (base === '') return () => true;
  return ({ shortCode, shortUrl }) =>
    linkKey(target, { shortCode, shortUrl }) === linkKey(target, { shortCode, shortUrl: `${base}/${shortCode}` });
}

function isShortenable(url: string, target: Connection, isOwn: IsOwnShortUrl): boolean {
  return !('blocked' in pageTarget(url, isOwn)) && !isRefusedTarget(target, url) && !isTooLong(target, url);
}

function isAllowed(shortCode: string, rules: CodeRules | null): boolean {
  if (!rules) return false;
  return shortCode.length <= rules.maxLength && rules.pattern.test(shortCode);
}
