import { BYTE_ORDER_MARK, csvLine } from '@terse/contract/csv';
import { readableUrl } from '@terse/contract/readable-host';
import { displayText } from '../format/display-text.ts';
import type { Link } from '../queue/types.ts';
import { formatTags } from '../servers/parse-and-format-tags.ts';

/** Returns links as CSV, in the given order. Times are in UTC, in ISO 8601 format. */
export function linksToCsv(links: Link[]): string {
  const rows = links.map(({ shortUrl, url, title, createdAt, tags }) => {
    return [shortUrl, url, title, new Date(createdAt).toISOString(), formatTags(tags)];
  });
  return BYTE_ORDER_MARK + [['shortUrl', 'url', 'title', 'createdAt', 'tags'], ...rows].map(csvLine).join('');
}

const LINK_FORMATS = ['text', 'markdown', 'html', 'csv'] as const;
export type LinkFormat = (typeof LINK_FORMATS)[number];

/** Formats links for copying, in the given order. Titles come from web pages, so they are escaped. */
export function formatLinks(form: LinkFormat, links: Link[]): string {
  switch (form) {
    case 'text':
      return links.map(({ shortUrl }) => readableUrl(shortUrl)).join('\n');
    case 'markdown':
      return links
        .map((link) => `- [${markdownText(nameOf(link))}](${markdownUrl(readableUrl(link.shortUrl))})`)
        .join('\n');
    case 'html':
      return `<ul>\n${links.map((link) => `  <li>${anchor(link)}</li>`).join('\n')}\n</ul>`;
    case 'csv':
      return linksToCsv(links);
  }
}

function anchor(link: Link): string {
  return `<a href="${htmlText(link.shortUrl)}">${htmlText(nameOf(link))}</a>`;
}

function nameOf({ title, url }: Link): string {
  return displayText(title).replace(/\s+/g, ' ') || url;
}

function markdownText(text: string): string {
  return text.replace(/[\\`*_{}[\]<>()#+!|~-]/g, '\\$&');
}

/** Percent-encodes parentheses, because a closing parenthesis in the URL would end the Markdown link. */
function markdownUrl(url: string): string {
  return url.replaceAll('(', '%28').replaceAll(')', '%29');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function htmlText(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}
