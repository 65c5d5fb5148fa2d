import { readableHost, readableUrl } from '@terse/contract';
import type { PageContext, Pages, Services } from '../../api/services.ts';
import { createReadLimit } from '../../domain/limits/throttle.ts';
import { domainNames, isStoredCode, shortUrlOf, splitStoredCode } from '../../domain/links/short-codes.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import { ApiError } from '../../http/api-error.ts';
import { linkFilter, pageOfLinks } from '../../store/search-and-paginate-links.ts';
import { type DateFormats, formatCount, readerDateFormats } from '../components/dates-and-numbers.ts';
import {
  address,
  copyIcon,
  deleteItem,
  type Html,
  html,
  icon,
  linkAddress,
  linkName,
  menu,
  noLinks,
  shortUrl,
} from '../components/html-elements.ts';
import { page } from '../components/layout.ts';
import { newLinkButton, newLinkPanel, tagList } from './link-form.ts';
import { firstPage, type ListQuery, listAddress, readListQuery } from './list-query.ts';
import { deletedNotice, restoredNotice, selectAllBox, selectionBar, selectionBox } from './selected-links.ts';

const PAGE_SIZE = 50;

const ORDERS = { newest: 'Newest first', oldest: 'Oldest first', clicks: 'Most clicks' } as const;

const ALL_DOMAINS = 'All domains';

interface LinkList {
  links: StoredLink[];
  query: ListQuery;
  /** Short code of the last link on this page, or null on the last page. */
  next: string | null;
  now: number;
  times: DateFormats;
}

/** Adds the list of an account's links. On this page, users can search, sort, select and delete links. */
export function addLinkListPage(pages: Pages, services: Services): void {
  const { store, clock, shortBaseUrls } = services;
  const drawRead = createReadLimit(clock);

  async function findLinks(accountId: number, query: ListQuery): Promise<Pick<LinkList, 'links' | 'next'>> {
    const matches = linkFilter(query, shortBaseUrls);
    if (matches !== null) {
      // Counts a search of the account. The API has the same limit per API key.
      const draw = drawRead(accountId, true);
      if (!draw.allowed) throw new ApiError('throttled', { headers: { 'Retry-After': String(draw.retryAfter) } });
    }
    const after = query.after ? await store.links.find(accountId, query.after) : null;
    const request = { accountId, after, limit: PAGE_SIZE, order: query.order, matches };
    const { links, last } = await pageOfLinks(store.links, request);
    return { links, next: last?.code ?? null };
  }

  /**
   * Draws the result of the user's last action, which is part of the URL. Looks up links in the database, because users
   * can edit URLs.
   */
  async function notices(context: PageContext, query: ListQuery, times: DateFormats): Promise<Html | ''> {
    const { accountId } = context.var.session;
    const { made = '', copied, deletedAt = '', restored = '' } = context.req.query();
    const link = isStoredCode(made) ? await store.links.find(accountId, made) : null;
    if (link?.deletedAt === null) return createdNotice(link, copied !== undefined, services);
    if (/^\d{1,15}$/.test(deletedAt)) {
      const count = await store.links.countRestorable(accountId, { deletedAt: Number(deletedAt), now: clock() });
      return count > 0 ? deletedNotice(count, Number(deletedAt), query, times) : '';
    }
    return /^\d{1,6}$/.test(restored) ? restoredNotice(Number(restored)) : '';
  }

  pages.get('/links', async (context) => {
    const query = readListQuery(new URL(context.req.url).searchParams);
    const times = readerDateFormats(context);
    const found = await findLinks(context.var.session.accountId, query);
    // The last page is empty if all of its links were deleted.
    if (query.after && found.links.length === 0 && found.next === null) {
      return context.redirect(listAddress(firstPage(query)), 303);
    }
    const list = { ...found, query, now: clock(), times };
    const body = html`<div class="page-head"><h1>Links</h1>
  <div class="page-end actions"><a class="button" href="/links/import">Import</a>${newLinkButton()}</div></div>
${await notices(context, query, times)}
${list.links.length === 0 && !isFiltered(query) && query.after === null ? noLinks() : listView(list, services)}
${newLinkPanel(services, times)}`;
    return page(context, { title: 'Links', section: 'links', body });
  });
}

function createdNotice({ code }: StoredLink, isCopied: boolean, { shortBaseUrls }: Services): Html {
  const url = shortUrlOf(code, shortBaseUrls);
  return html`<div class="notice is-good" role="status" data-created="${readableUrl(url)}">${icon('check')}<p><span>Your link is ready${isCopied ? ' and copied' : ''}:</span> <a class="short" href="${url}" dir="ltr" rel="noreferrer">${shortUrl(shortBaseUrls, code)}</a></p>${copyIcon(readableUrl(url), 'Copy the short URL')}</div>`;
}

function listView(list: LinkList, services: Services): Html {
  return html`${searchForm(list.query)}
${tagFilter(list.query)}
${list.links.length > 0 ? listCard(list, services) : nothingFound(list)}
<p class="help"><a href="/links/export.csv" download>Export all links as CSV</a></p>`;
}

function searchForm({ search, domain, tag, order }: ListQuery): Html {
  const others = Object.entries({ order: order === 'newest' ? '' : order, domain, tag }).filter(([, value]) => value);
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

function listCard(list: LinkList, services: Services): Html {
  const { links, query } = list;
  const domains = domainNames(services.shortBaseUrls);
  const domainItems = Object.fromEntries(['', ...domains].map((name) => [name, readableHost(name) || ALL_DOMAINS]));
  return html`<section class="card is-list" aria-labelledby="list-title">
  <div class="list-head">${selectAllBox()}<h2 id="list-title">${isFiltered(query) ? 'Search results' : 'All links'}</h2>${domains.length > 1 ? filterMenu('Domain', 'domain', domainItems, query) : ''}${filterMenu('Order', 'order', ORDERS, query)}</div>
  <ul class="links" aria-labelledby="list-title">${links.map((link) => linkRow(link, list, services))}</ul>
  ${pagination(list)}
</section>
${selectionBar(query)}`;
}

/** Draws a menu that sets one part of the list's query. `choices` maps each value to its visible label. */
function filterMenu(name: string, part: 'domain' | 'order', choices: Record<string, string>, query: ListQuery): Html {
  const items = Object.entries(choices).map(
    ([value, label]) =>
      html`<a class="menu-item" href="${listAddress({ ...firstPage(query), [part]: value })}" ${value === query[part] ? html`aria-current="true"` : ''}>${label}</a>`,
  );
  const current = choices[query[part]] ?? readableHost(query[part]);
  return menu(`${name}: ${current}`, html`${current}${icon('later')}`, items, 'button is-quiet');
}

function linkRow(link: StoredLink, { query, times, now }: LinkList, { shortBaseUrls }: Services): Html {
  const path = linkAddress(link.code);
  const { code } = splitStoredCode(link.code);
  const url = shortUrlOf(link.code, shortBaseUrls);
  const items = [
    html`<a class="menu-item" href="${url}" rel="noreferrer">${icon('open')}Open</a>`,
    html`<a class="menu-item" href="${path}#qr">${icon('qr')}QR code</a>`,
    html`<a class="menu-item" href="${path}">${icon('chart')}Clicks</a>`,
    html`<a class="menu-item" href="${path}#edit">${icon('edit')}Edit</a>`,
    deleteItem(link.code, listAddress(query)),
  ];
  return html`<li class="link">
  ${selectionBox(link.code)}
  <div class="link-text"><a class="link-name" href="${path}">${linkName(link)}</a>
    <p class="link-note">${dateText(link, now, times)}${link.title ? address(link.url, 'link-url') : ''}</p>${tagList(link.tags)}</div>
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

function isFiltered({ search, domain, tag }: ListQuery): boolean {
  return search !== '' || domain !== '' || tag !== '';
}

/** Draws links to the first and the next page. Returns an empty string if there is only one page. */
function pagination({ query, next }: LinkList): Html | '' {
  if (query.after === null && next === null) return '';
  return html`<nav class="list-foot" aria-label="Pages">
  ${query.after === null ? '' : html`<a class="button is-quiet" href="${listAddress(firstPage(query))}">First page</a>`}
  ${next === null ? '' : html`<a class="button" href="${listAddress({ ...query, after: next })}" rel="next">Next page</a>`}
</nav>`;
}

/** Draws the message of a filtered list without links. A search reads a limited number of links per page. */
function nothingFound(list: LinkList): Html {
  const { search } = list.query;
  const message = search && html`<p>No title, address or short code contains “<bdi>${search}</bdi>”.</p>`;
  return html`<section class="empty">${icon('search')}<h2>Nothing found${list.next ? ' so far' : ''}</h2>
  ${message}
  <p><a href="/links">Show all links</a></p></section>${pagination(list)}`;
}
