import type { Link } from '@terse/contract';
import { domainOf, type ShortBaseUrls, shortUrlOf, splitStoredCode } from './short-domains.ts';

interface ShownLink {
  code: string;
  url: string;
  title: string | null;
  createdAt: number;
  expiresAt: number | null;
  clicks: number;
  importedClicks: number;
  forwardQuery?: boolean | null;
  tags?: string[];
}

/** Settings of the service that affect the JSON of a link. */
export interface LinkSettings {
  shortBaseUrls: ShortBaseUrls;
  forwardQuery: boolean;
}

export function linkJson(link: ShownLink, { shortBaseUrls, forwardQuery }: LinkSettings): Link {
  return {
    shortCode: splitStoredCode(link.code).code,
    domain: domainOf(link.code, shortBaseUrls),
    shortUrl: shortUrlOf(link.code, shortBaseUrls),
    url: link.url,
    title: link.title,
    createdAt: new Date(link.createdAt).toISOString(),
    expiresAt: link.expiresAt === null ? null : new Date(link.expiresAt).toISOString(),
    clicks: link.clicks,
    importedClicks: link.importedClicks,
    forwardQuery: link.forwardQuery ?? forwardQuery,
    tags: link.tags ?? [],
  };
}
