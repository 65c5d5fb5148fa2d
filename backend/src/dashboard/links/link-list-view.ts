import { readableHost, readableUrl } from '@terse/contract';
import type { Random } from '../../domain/clock-and-random.ts';
import { domainNames, type ShortBaseUrls, shortUrlOf, splitStoredCode } from '../../domain/links/short-domains.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import { type DateFormats, formatCount } from '../components/dates-and-numbers.ts';
import {
  copyIcon,
  deleteItem,
  type Html,
  html,
  icon,
  linkName,
  menu,
  noLinks,
  shortUrl,
} from '../components/html-elements.ts';
import { firstPage, type ListQuery, linkAddress, listAddress } from './link-list-address.ts';
import { type ListNotices, noticesView } from './link-list-notices.ts';
import { type PageOfLinks, paginationView, totalText } from './link-list-pagination.ts';
import { newLinkButton, newLinkPanel } from './new-link-form.ts';
import { selectAllBox, selectionBar, selectionBox } from './selection-view.ts';
import { tagList } from './tag-and-query-fields.ts';

const ORDERS = { newest: 'Newest first', oldest: 'Oldest first', clicks: 'Most clicks' } as const;

interface LinkListView extends PageOfLinks {
  shortBaseUrls: ShortBaseUrls;
  forwardQuery: boolean;
  now: number;
  times: DateFormats;
  random: Random;
  /** True if all links on the page are selected. */
  areTicked: boolean;
  notices: ListNotices;
}

export function linkListView(view: LinkListView): Html {
  const { links, query } = view;
  const isFiltered = query.search !== '' || query.domain !== '' || query.tag !== '';
  const isNew = links.length === 0 && !isFiltered && query.after === null;
  return html`<div class="page-head"><h1>Links</h1>
  <div class="page-end actions"><a class="button" href="/links/import">Import</a>${newLinkButton()}</div></div>
${noticesView(view.notices, view)}
${
  isNew
    ? noLinks()
    : html`${searchForm(query)}
${tagFilter(query)}
${links.length > 0 ? listCard(view) : nothingFound(view)}
<p class="help">Export all links as <a href="/links/export.csv" download>CSV</a> or <a href="/links/export.json" download>JSON</a></p>`
}
${newLinkPanel(view)}`;
}

function searchForm({ search, domain, tag, order }: ListQuery): Html {
  const others = Object.entries({
    ...(order !== 'newest' && { order }),
    ...(domain && { domain }),
    ...(tag && { tag }),
  });
  return html`<form class="search" method="get" action="/links" role="search">
  ${icon('search')}<input class="input" type="search" name="search" value="${search}" aria-label="Search links" placeholder="Search links" dir="auto">
  ${others.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
</form>`;
}

function tagFilter(query: ListQuery): Html | '' {
  if (query.tag === '') return '';
  const others = listAddress({ ...firstPage(query), tag: '' });
  return html`<p class="tag-filter">Tag: <span class="chip"><bdi>${query.tag}</bdi></span><a href="${others}">Show all links</a></p>`;
}

function listCard(view: LinkListView): Html {
  const { links, query } = view;
  return html`<section class="card is-list" aria-labelledby="list-title">
  <div class="list-head">${selectAllBox(query)}<h2 id="list-title">${totalText(view)}</h2>${domainMenu(view)}${orderMenu(query)}</div>
  <ul class="links" aria-labelledby="list-title">${links.map((link) => linkRow(link, view))}</ul>
  ${paginationView(view)}
</section>
${selectionBar(query)}`;
}

function orderMenu(query: ListQuery): Html {
  const items = Object.entries(ORDERS).map(
    ([order, label]) =>
      html`<a class="menu-item" href="${listAddress({ ...firstPage(query), order: order as ListQuery['order'] })}" ${order === query.order ? html`aria-current="true"` : ''}>${label}</a>`,
  );
  const label = ORDERS[query.order];
  return menu(`Order: ${label}`, html`${label}${icon('later')}`, items, 'button is-quiet');
}

function domainMenu({ query, shortBaseUrls }: Pick<LinkListView, 'query' | 'shortBaseUrls'>): Html | '' {
  const domains = domainNames(shortBaseUrls);
  if (domains.length === 1) return '';
  const items = ['', ...domains].map(
    (domain) =>
      html`<a class="menu-item" href="${listAddress({ ...firstPage(query), domain })}" ${domain === query.domain ? html`aria-current="true"` : ''}>${readableHost(domain) || ALL_DOMAINS}</a>`,
  );
  const label = readableHost(query.domain) || ALL_DOMAINS;
  return menu(`Domain: ${label}`, html`${label}${icon('later')}`, items, 'button is-quiet');
}

const ALL_DOMAINS = 'All domains';

function linkRow(link: StoredLink, { query, shortBaseUrls, times, now, areTicked }: LinkListView): Html {
  const address = linkAddress(link.code);
  const { code } = splitStoredCode(link.code);
  const url = shortUrlOf(link.code, shortBaseUrls);
  const items = [
    html`<a class="menu-item" href="${url}" rel="noreferrer">${icon('open')}Open</a>`,
    html`<a class="menu-item" href="${address}#qr">${icon('qr')}QR code</a>`,
    html`<a class="menu-item" href="${address}">${icon('chart')}Clicks</a>`,
    html`<a class="menu-item" href="${address}#edit">${icon('edit')}Edit</a>`,
    deleteItem(address, listAddress(query)),
  ];
  return html`<li class="link">
  ${selectionBox(link.code, areTicked)}
  <div class="link-text"><a class="link-name" href="${address}">${linkName(link)}</a>
    <p class="link-note">${dateText(link, now, times)}${link.title ? html`<span class="line link-url" dir="ltr">${readableUrl(link.url)}</span>` : ''}</p>${tagList(link.tags)}</div>
  <p class="link-short" dir="ltr">${shortUrl(shortBaseUrls, link.code)}</p>
  <p class="link-clicks">${formatCount(link.clicks, 'click')}</p>
  <div class="link-actions">${copyIcon(readableUrl(url), `Copy the short URL of ${code}`)}${menu(`More actions for ${code}`, icon('more'), items)}</div>
</li>`;
}

/** Describes when a link was created and when it expires. On phones, the style sheet hides the creation date. */
function dateText({ createdAt, expiresAt }: StoredLink, now: number, times: DateFormats): Html {
  if (expiresAt === null) return html`<span class="link-created">${times.day(createdAt)}</span>`;
  if (expiresAt <= now) return html`<span class="is-warning">Expired ${times.day(expiresAt)}</span>`;
  return html`<span><span class="link-created">${times.day(createdAt)}, </span>expires ${times.minute(expiresAt)}</span>`;
}

function nothingFound(view: LinkListView): Html {
  const { query, next } = view;
  const { search } = query;
  const domain = readableHost(query.domain);
  const message = search
    ? html`<h2>Nothing found${next ? ' yet' : ''}</h2>
  <p>No title, address or short code${next ? ' so far' : ''} contains “<bdi>${search}</bdi>”${domain ? html` on ${domain}` : ''}.</p>
  <p><a href="${listAddress({ ...firstPage(query), search: '', domain: '' })}">Show all links</a></p>`
    : query.tag
      ? html`<h2>No links with this tag${domain ? html` on ${domain}` : ''}${next ? ' yet' : ''}</h2>
  <p><a href="${listAddress({ ...firstPage(query), tag: '', domain: '' })}">Show all links</a></p>`
      : domain
        ? html`<h2>${next ? 'No links found yet' : 'No links'} on ${domain}</h2>
  <p><a href="${listAddress({ ...firstPage(query), domain: '' })}">Show all links</a></p>`
        : html`<h2>No more links</h2>`;
  return html`<section class="empty">${icon('search')}${message}</section>${paginationView(view)}`;
}
