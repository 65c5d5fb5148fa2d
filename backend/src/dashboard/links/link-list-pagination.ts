import { formatCount, formatNumber } from '../components/dates-and-numbers.ts';
import { type Html, html, icon } from '../components/html-elements.ts';
import { firstPage, type ListQuery, listAddress, nextPage, previousPage } from './link-list-address.ts';

/** Number of links per page. */
export const PAGE_SIZE = 50;

/** Maximum number of links that are counted. Counting millions of links would slow down redirects. */
export const MAX_COUNTED = 10_000;

interface PageOfLinks {
  query: ListQuery;
  /** Short code of the last link on this page, or null on the last page. */
  next: string | null;
  /** Number of links in the list, or null during a search, which does not count its results. */
  total: number | null;
}

export function paginationView({ query, next, total }: PageOfLinks): Html {
  const previous = previousPage(query);
  return html`<nav class="pages" aria-label="Pages">
  ${query.page > 2 ? html`<a class="button is-quiet" href="${listAddress(firstPage(query))}">First page</a>` : ''}
  ${previous ? html`<a class="button" href="${listAddress(previous)}" rel="prev">${icon('back')}Previous page</a>` : ''}
  <p class="help">${pageText({ query, next, total })}</p>
  ${next ? html`<a class="button" href="${listAddress(nextPage(query, next))}" rel="next">Next page</a>` : ''}
</nav>`;
}

function pageText({ query: { page }, next, total }: PageOfLinks): string {
  if (total === null) return `Page ${formatNumber(page)}`;
  const links = total > MAX_COUNTED ? `more than ${formatNumber(MAX_COUNTED)} links` : formatCount(total, 'link');
  if (page === 1 && next === null) return links;
  const pages = total > MAX_COUNTED ? '' : ` of ${formatNumber(Math.max(page, Math.ceil(total / PAGE_SIZE)))}`;
  return `Page ${formatNumber(page)}${pages}, ${links}`;
}
