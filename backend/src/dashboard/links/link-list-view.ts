import { codePath } from '../../domain/links/short-codes.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import { type DateFormats, formatNumber } from '../components/dates-and-numbers.ts';
import { copyIcon, type Html, html, icon, noLinks, shortUrl } from '../components/html-elements.ts';
import { firstPage, type ListQuery, linkAddress, listAddress } from './link-list-address.ts';
import { type ListNotices, noticesView } from './link-list-notices.ts';
import { paginationView } from './link-list-pagination.ts';

/** HTML id of the form to which all check boxes belong. */
const SELECTION_FORM = 'selection';

const ORDERS = { newest: 'Newest first', oldest: 'Oldest first', clicks: 'Most clicks' } as const;

interface LinkListView {
  links: StoredLink[];
  query: ListQuery;
  /** Short code of the last link on this page, or null on the last page. */
  next: string | null;
  /** Number of links in the list, or null during a search, which does not count its results. */
  total: number | null;
  shortBaseUrl: string;
  now: number;
  times: DateFormats;
  /** True if all links on the page are selected. */
  areTicked: boolean;
  notices: ListNotices;
}

export function linkListView(view: LinkListView): Html {
  const { links, query, next } = view;
  const isNew = links.length === 0 && query.search === '' && query.after === null;
  return html`<div class="page-head"><h1>Links</h1>
  <div class="page-end actions"><a class="button" href="/links/import">${icon('up')}Import</a><a class="button is-primary" href="/links/new">${icon('plus')}New link</a></div></div>
${noticesView(view.notices, view)}
${
  isNew
    ? noLinks()
    : html`${searchForm(query)}
${
  links.length > 0
    ? html`<ul class="links" aria-label="Links">${links.map((link) => linkRow(link, view))}</ul>
${selectionBar(query)}`
    : nothingFound(query, next)
}
${links.length > 0 || query.after || next ? paginationView(view) : ''}
${exportLinks()}`
}`;
}

function searchForm({ search, order }: ListQuery): Html {
  const options = Object.entries(ORDERS).map(
    ([value, label]) => html`<option value="${value}" ${value === order ? html`selected` : ''}>${label}</option>`,
  );
  return html`<form class="search-form" method="get" action="/links" role="search">
  <div class="search">${icon('search')}<input class="input" type="search" name="search" value="${search}" aria-label="Search titles, URLs and short codes" placeholder="Title, URL or short code" dir="auto"></div>
  <select class="input" name="order" aria-label="Order">${options}</select>
  <button class="button" type="submit">Search</button>
</form>`;
}

function linkRow(link: StoredLink, { query, shortBaseUrl, now, times, areTicked }: LinkListView): Html {
  const isExpired = link.expiresAt !== null && link.expiresAt <= now;
  const expiry = isExpired
    ? html`<span class="chip is-warning">Expired</span>`
    : link.expiresAt === null
      ? ''
      : html`<span class="chip">${icon('clock')}Expires ${times.minute(link.expiresAt)}</span>`;
  return html`<li class="link">
  ${selectionBox(link.code, areTicked)}
  <div class="link-text">
    <p class="link-head"><a class="line short" href="${linkAddress(link.code)}" dir="ltr">${shortUrl(shortBaseUrl, link.code)}</a>${expiry}</p>
    ${link.title ? html`<bdi class="line link-title">${link.title}</bdi>` : ''}
    <p class="line link-url" dir="ltr">${link.url}</p>
  </div>
  <p class="link-clicks"><strong>${formatNumber(link.clicks)}</strong> ${link.clicks === 1 ? 'click' : 'clicks'}<span>${times.day(link.createdAt)}</span></p>
  <div class="link-actions">
    ${copyIcon(`${shortBaseUrl}/${codePath(link.code)}`, `Copy the short URL of ${link.code}`)}
    <a class="icon-button" href="${linkAddress(link.code)}" aria-label="Clicks, QR code and settings of ${link.code}" title="Clicks, QR code and settings">${icon('chart')}</a>
    <form method="post" action="${linkAddress(link.code)}/delete"><input type="hidden" name="list" value="${listAddress(query)}"><button class="icon-button" type="submit" aria-label="Delete ${link.code}" title="Delete">${icon('trash')}</button></form>
  </div>
</li>`;
}

export function selectionBox(code: string, isTicked: boolean): Html {
  return html`<label class="tick"><input type="checkbox" form="${SELECTION_FORM}" name="code" value="${code}" aria-label="Select ${code}" ${isTicked ? html`checked` : ''}></label>`;
}

/**
 * Draws the actions for the selected links. The check boxes belong to this form, so the actions also work without
 * script.
 */
export function selectionBar(query: ListQuery): Html {
  return html`<form class="selection" id="${SELECTION_FORM}" method="post" action="/selection" aria-label="Actions for several links">
  <input type="hidden" name="list" value="${listAddress(query)}">
  <a class="button is-quiet" href="${listAddress(query, { ticked: 'page' })}">${icon('check')}Select all on this page</a>
  <select class="input" name="scope" aria-label="Which links">
    <option value="ticked">Selected links</option>
    <option value="found">${query.search ? 'All matching links' : 'All links'}</option>
  </select>
  <button class="button" name="action" value="csv" type="submit">${icon('down')}CSV</button>
  <button class="button" name="action" value="json" type="submit">${icon('down')}JSON</button>
  <button class="button is-danger" name="action" value="delete" type="submit">${icon('trash')}Delete…</button>
</form>`;
}

function exportLinks(): Html {
  return html`<p class="help export">${icon('down')}<span>Download all your links: <a href="/links/export.csv" download>CSV</a>, <a href="/links/export.json" download>JSON</a>.</span></p>`;
}

function nothingFound(query: ListQuery, next: string | null): Html {
  const { search } = query;
  if (!search)
    return html`<section class="empty">${icon('search')}<h2 class="empty-title">No more links</h2></section>`;
  return html`<section class="empty">${icon('search')}<h2 class="empty-title">Nothing found${next ? ' yet' : ''}</h2>
  <p>No title, URL or short code${next ? ' so far' : ''} contains “<bdi>${search}</bdi>”.</p>
  <p><a href="${listAddress({ ...firstPage(query), search: '' })}">Show all links</a></p></section>`;
}
