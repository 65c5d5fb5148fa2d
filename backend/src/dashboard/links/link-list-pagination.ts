import type { StoredLink } from '../../domain/links/stored-link.ts';
import { formatCount, formatNumber } from '../components/dates-and-numbers.ts';
import { type Html, html } from '../components/html-elements.ts';
import { firstPage, type ListQuery, listAddress, nextPage, previousPage } from './link-list-address.ts';

export const PAGE_SIZE = 50;

/** Maximum number of links that are counted. Counting millions of links would slow down redirects. */
export const MAX_COUNTED = 10_000;

export interface PageOfLinks {
  links: StoredLink[];
  query: ListQuery;
  /** Short code of the last link on this page, or null on the last page. */
  next: string | null;
  /** Number of links in the list. Null if a filtered list has several pages, because its links are not counted. */
  total: number | null;
}

/**
 * Draws links to the previous and next page, with a text such as "51–100 of 160". Returns an empty string if there is
 * only one page.
 */
export function paginationView(page: PageOfLinks): Html | '' {
  const { query, next } = page;
  if (query.after === null && next === null) return '';
  const previous = previousPage(query);
  return html`<nav class="list-foot" aria-label="Pages">
  <p class="soft">${positionText(page)}</p>
  ${query.page > 2 ? html`<a class="button is-quiet" href="${listAddress(firstPage(query))}">First page</a>` : ''}
  ${pageLink('Previous', previous, 'prev')}${pageLink('Next', next === null ? null : nextPage(query, next), 'next')}
</nav>`;
}

function pageLink(label: string, query: ListQuery | null, rel: string): Html {
  return query === null
    ? html`<span class="button" aria-disabled="true">${label}</span>`
    : html`<a class="button" href="${listAddress(query)}" rel="${rel}">${label}</a>`;
}

/**
 * Returns the number of links: "160 links". If the links were not counted, returns a description: "Search results".
 */
export function totalText({ query, total }: PageOfLinks): string {
  if (total === null) return query.search ? 'Search results' : 'Links with this tag';
  return total > MAX_COUNTED ? `More than ${formatNumber(MAX_COUNTED)} links` : formatCount(total, 'link');
}

/**
 * Returns the position of the page in the list: "51–100 of 160". For search results, returns only the page number,
 * because their pages differ in length.
 */
function positionText({ links, query: { page }, total }: PageOfLinks): string {
  if (total === null || links.length === 0) return `Page ${formatNumber(page)}`;
  const first = (page - 1) * PAGE_SIZE + 1;
  const range = `${formatNumber(first)}–${formatNumber(first + links.length - 1)}`;
  return total > MAX_COUNTED ? range : `${range} of ${formatNumber(total)}`;
}
