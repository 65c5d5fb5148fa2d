import type { Link } from '@terse/contract';
import { codePath } from './short-codes.ts';

interface ShownLink {
  code: string;
  url: string;
  title: string | null;
  createdAt: number;
  expiresAt: number | null;
  clicks: number;
}

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
