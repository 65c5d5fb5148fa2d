import type { Link } from '@terse/contract';
import { codePath } from './short-codes.ts';

/** The parts of a stored link that its owner sees. */
interface ShownLink {
  code: string;
  url: string;
  title: string | null;
  createdAt: number;
  expiresAt: number | null;
  clicks: number;
}

/** Returns a link as the API and exports show it to its owner. */
export function linkJson(link: ShownLink, shortBaseUrl: string): Link {
  return {
    shortCode: link.code,
    shortUrl: `${shortBaseUrl}/${codePath(link.code)}`,
    url: link.url,
    title: link.title,
    createdAt: new Date(link.createdAt).toISOString(),
    expiresAt: link.expiresAt === null ? null : new Date(link.expiresAt).toISOString(),
    clicks: link.clicks,
  };
}
