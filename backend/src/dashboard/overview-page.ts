import type { Pages, Services } from '../api/services.ts';
import { dayOf, hourNumber, startOf } from '../domain/analytics/day-counts.ts';
import type { ShortBaseUrls } from '../domain/links/short-codes.ts';
import type { StoredLink } from '../domain/links/stored-link.ts';
import { type Bar, clickChart } from './components/click-chart.ts';
import { type DateFormats, formatCount, formatNumber, readerDateFormats } from './components/dates-and-numbers.ts';
import { type Html, html, linkAddress, linkName, noLinks, shortUrl } from './components/html-elements.ts';
import { page } from './components/layout.ts';
import { newLinkButton, newLinkPanel } from './links/link-form.ts';
import { readQuota } from './remaining-quota.ts';

/** Maximum number of links in each list of the overview. */
const MAX_LINKS = 5;

/** Number of UTC days that the chart shows, including today. */
const DAYS_SHOWN = 30;

/** Adds the overview page, which opens after sign-in. */
export function addOverviewPage(pages: Pages, services: Services): void {
  pages.get('/overview', async (context) => {
    const overview = await readOverview(services, context.var.session.accountId);
    const body = overviewView(overview, services, readerDateFormats(context));
    return page(context, { title: 'Overview', section: 'overview', body });
  });
}

type Overview = Awaited<ReturnType<typeof readOverview>>;

async function readOverview(services: Services, accountId: number) {
  const { store, clock } = services;
  const now = clock();
  const first = dayOf(now) - DAYS_SHOWN + 1;
  const [counted, latest, top, quota] = await Promise.all([
    store.clicks.accountHours(accountId, hourNumber(first, 0), hourNumber(first + DAYS_SHOWN, 0) - 1),
    store.links.list(accountId, null, MAX_LINKS),
    store.links.list(accountId, null, MAX_LINKS, 'clicks'),
    readQuota(services, accountId, 'links'),
  ]);
  const bars = Array.from({ length: DAYS_SHOWN }, (_, at) => ({ start: startOf(first + at), clicks: 0 }));
  for (const { hour, clicks } of counted) {
    const bar = bars[dayOf(startOf(0, hour)) - first];
    if (bar) bar.clicks += clicks;
  }
  return { bars, latest, top: top.filter(({ clicks }) => clicks > 0), quota };
}

function overviewView(overview: Overview, services: Services, times: DateFormats): Html {
  const { shortBaseUrls } = services;
  const { latest, top, quota } = overview;
  return html`<div class="page-head"><h1>Overview</h1>
  <div class="page-end actions">${newLinkButton()}</div></div>
${
  latest.length === 0
    ? noLinks()
    : html`${clicksCard(overview.bars, times)}
<div class="halves">
${linkList('latest', 'Latest links', '/links', latest, (link) => times.day(link.createdAt), shortBaseUrls)}
${linkList('top', 'Most clicked', '/links?order=clicks', top, (link) => html`${formatCount(link.clicks, 'click')}`, shortBaseUrls)}
</div>`
}
${quota ? html`<p class="help">${formatNumber(quota.left)} of ${formatNumber(quota.limit)} links left today. More at ${times.hourText(quota.resetAt)}${times.zone === 'UTC' ? ' UTC' : ''}.</p>` : ''}
${newLinkPanel(services, times)}`;
}

function clicksCard(bars: Bar[], times: DateFormats): Html {
  const total = bars.reduce((sum, { clicks }) => sum + clicks, 0);
  return html`<section class="card" aria-labelledby="clicks-title">
  <div><h2 class="big-figure" id="clicks-title"><strong>${formatNumber(total)}</strong> ${total === 1 ? 'click' : 'clicks'} in ${DAYS_SHOWN} days</h2>
  <p class="soft">${formatNumber(bars.at(-1)?.clicks ?? 0)} today</p></div>
  ${clickChart(bars, { unit: 'day', label: `${DAYS_SHOWN} days`, times })}
</section>`;
}

function linkList(
  id: string,
  title: string,
  all: string,
  links: StoredLink[],
  note: (link: StoredLink) => Html,
  shortBaseUrls: ShortBaseUrls,
): Html {
  const rows = links.map(
    (link) => html`<li class="row brief">
    <div class="row-text"><a class="link-name" href="${linkAddress(link.code)}">${linkName(link)}</a>
    <p class="row-note" dir="ltr">${shortUrl(shortBaseUrls, link.code)}</p></div>
    <p class="row-note">${note(link)}</p>
  </li>`,
  );
  return html`<section class="card is-list" aria-labelledby="${id}-title">
  <div class="list-head"><h2 id="${id}-title">${title}</h2><a href="${all}" aria-label="All links, ${title.toLowerCase()}">All links</a></div>
  ${rows.length > 0 ? html`<ol class="rows">${rows}</ol>` : html`<ul class="rows"><li class="row brief"><p class="row-note">No link has been clicked yet.</p></li></ul>`}
</section>`;
}
