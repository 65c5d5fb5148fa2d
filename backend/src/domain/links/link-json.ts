import type { Link } from '@terse/contract';
import { domainOf, type ShortBaseUrls, shortUrlOf, splitStoredCode } from './short-domains.ts';

interface ShownLink {
  code: string;
  url: string;
  title: string | null;
  createdAt: number;
  expiresAt: number | null;
  clicks: number;
}

export function linkJson(link: ShownLink, shortBaseUrls: ShortBaseUrls): Link {
  return {
    shortCode: splitStoredCode(link.code).code,
    domain: domainOf(link.code, shortBaseUrls),
    shortUrl: shortUrlOf(link.code, shortBaseUrls),
    url: link.url,
    title: link.title,
    createdAt: new Date(link.createdAt).toISOString(),
    expiresAt: link.expiresAt === null ? null : new Date(link.expiresAt).toISOString(),
    clicks: link.clicks,
  };
}
