import { TITLE_LIMIT } from '@terse/contract/link-fields';
import type { ShortenCommand } from '../messages/protocol.ts';
import { isRefusedTarget, isTooLong } from '../queue/accept-requests.ts';
import type { Connection, Link } from '../queue/types.ts';
import type { CodeRules } from '../services/capabilities.ts';
import { capabilitiesOf, shortBaseUrlOf } from '../services/known-service.ts';
import { validTags } from '../services/link-tags.ts';
import { linkKey } from '../storage/merge-service-links.ts';
import { type IsOwnShortUrl, pageTarget } from '../urls/shortenable-url.ts';

/** Links to create on another server, and what the copies lack. */
export interface CopyPlan {
  orders: ShortenCommand[];
  /**
   * Links that are not copied: they have expired, the server has them already, they have a password or another
   * restriction that the copy would lack, or their URL cannot be shortened.
   */
  skipped: number;
  /** Copies that get another short code, because the server has it already or does not accept it. */
  lostCodes: number;
  /** Copies without the whole title, because the server has no titles, or not with this length or these letters. */
  lostTitles: number;
  /** Copies that never expire, because the server has no expiry dates, or none so late. */
  lostExpiries: number;
  /** Clicks that stay with the old links. */
  lostClicks: number;
}

/**
 * Plans how to create links again on another server, with the same codes if the server accepts them.
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
    // Another selected link may have the same code on its own server.
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

/** Returns a function that is true for links on the domain on which a server creates new links. */
function isOnDomainOf(target: Connection): (link: Link) => boolean {
  const { service, domain } = target;
  const named = domain === undefined ? '' : `https://${domain}`;
  const base = (service && shortBaseUrlOf(service, domain)) || named;
  // While the default domain is unknown, any known link may be on it.
  if (base === '') return () => true;
  return ({ shortCode, shortUrl }) =>
    linkKey(target, { shortCode, shortUrl }) === linkKey(target, { shortCode, shortUrl: `${base}/${shortCode}` });
}

/** True if the queue of a server accepts a URL. */
function isShortenable(url: string, target: Connection, isOwn: IsOwnShortUrl): boolean {
  return !('blocked' in pageTarget(url, isOwn)) && !isRefusedTarget(target, url) && !isTooLong(target, url);
}

function isAllowed(shortCode: string, rules: CodeRules | null): boolean {
  if (!rules) return false;
  const { pattern, minLength, maxLength } = rules;
  return shortCode.length >= minLength && shortCode.length <= maxLength && pattern.test(shortCode);
}
