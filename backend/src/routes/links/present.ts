import type { Link } from '@terse/contract';
import type { StoredLink } from '../../store/store.ts';

/** A link as the API shows it to its owner. */
export function presentLink(link: StoredLink, shortBaseUrl: string): Link {
  return {
    shortCode: link.code,
    shortUrl: `${shortBaseUrl}/${link.code}`,
    url: link.url,
    title: link.title,
    createdAt: new Date(link.createdAt).toISOString(),
    expiresAt: link.expiresAt === null ? null : new Date(link.expiresAt).toISOString(),
    clicks: link.clicks,
  };
}
