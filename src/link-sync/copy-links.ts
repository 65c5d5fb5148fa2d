import { TITLE_LIMIT } from '@terse/contract/link-fields';
import type { ShortenCommand } from '../messages/protocol.ts';
import type { Connection, Link } from '../queue/types.ts';
import { capabilitiesOf } from '../services/known-service.ts';
import { validTags } from '../services/link-tags.ts';
import { pageTarget } from '../urls/shortenable-url.ts';

/** Links to create on another server, and what the copies lack. */
export interface CopyPlan {
  orders: ShortenCommand[];
  /**
   * Links that are not copied: they have expired, the server has them already, they have a password or another
   * restriction that the copy would lack, or their URL cannot be shortened.
   */
  skipped: number;
  /** Copies that get another short code, because the server does not accept the old one. */
  lostCodes: number;
  /** Copies without the link's title, because the server has no titles. */
  lostTitles: number;
  /** Copies that never expire, because the server has no expiry dates. */
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
 */
export function planCopy(links: Link[], target: Connection, known: Link[], newId: () => string, now: number): CopyPlan {
  const can = capabilitiesOf(target);
  const there = new Map(known.map((link) => [link.shortCode, link.url]));
  const plan: CopyPlan = { orders: [], skipped: 0, lostCodes: 0, lostTitles: 0, lostExpiries: 0, lostClicks: 0 };
  for (const link of links) {
    const { url, title, shortCode, expiresAt, clicks = 0, isRestricted = false } = link;
    const tags = can.tags ? validTags(link.tags) : [];
    const isExpired = expiresAt !== null && expiresAt <= now;
    if (isExpired || isRestricted || there.get(shortCode) === url || 'blocked' in pageTarget(url, () => false)) {
      plan.skipped += 1;
      continue;
    }
    const keepsCode = can.ownCode?.pattern.test(shortCode) === true && !there.has(shortCode);
    const options = {
      shortCode: keepsCode ? shortCode : null,
      title: can.title && title !== '' ? [...title].slice(0, TITLE_LIMIT).join('') : null,
      expiresAt: can.expiry && expiresAt !== null ? new Date(expiresAt).toISOString() : null,
      ...(tags.length > 0 && { tags }),
    };
    plan.orders.push({ id: newId(), url, title, options });
    plan.lostCodes += Number(!keepsCode);
    plan.lostTitles += Number(title !== '' && options.title === null);
    plan.lostExpiries += Number(expiresAt !== null && options.expiresAt === null);
    plan.lostClicks += clicks;
  }
  return plan;
}
