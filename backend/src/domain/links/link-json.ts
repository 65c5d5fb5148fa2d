import type { Link } from '@terse/contract';
import { codePath } from './short-codes.ts';

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

/** Settings of the service that a link's JSON depends on. */
export interface LinkSettings {
  shortBaseUrl: string;
  forwardQuery: boolean;
}

export function linkJson(link: ShownLink, { shortBaseUrl, forwardQuery }: LinkSettings): Link {
  return {
    shortCode: link.code,
    shortUrl: `${shortBaseUrl}/${codePath(link.code)}`,
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
