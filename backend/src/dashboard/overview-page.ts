import type { ApiKey } from '../domain/accounts/api-keys.ts';
import { clicksIn, comparedDays, dayOf, hourNumber, startOf } from '../domain/analytics/calendar.ts';
import type { ShortBaseUrls } from '../domain/links/short-codes.ts';
import type { StoredLink } from '../domain/links/stored-link.ts';
import { type Bar, clickChart } from './components/click-chart.ts';
import { type DateFormats, formatCount, formatNumber, readerDateFormats } from './components/dates-and-numbers.ts';
import { type Html, html, linkAddress, linkName, noLinks, shortUrl } from './components/html-elements.ts';
import { page } from './components/layout.ts';
import { newLinkButton, newLinkPanel } from './links/link-form.ts';
import { type KeyUsage, type RemainingQuota, readKeyUsage, readQuota } from './remaining-quota.ts';
import type { Pages, Services } from './services.ts';

/** Maximum number of links in each list of the overview. */
const MAX_LINKS = 5;

/** Number of UTC days that the chart shows, including today. */
const DAYS_SHOWN = 30;

interface Overview {
  /** Clicks per day. */
  bars: Bar[];
  today: number;
  /**
   * Difference between today's and yesterday's clicks, in percent. Only the complete hours of today are compared with
   * the same hours of yesterday. Null if yesterday had no clicks in these hours.
   */
  change: number | null;
  latest: StoredLink[];
  top: StoredLink[];
  /** Daily quota of the account. Null if the account has no quota. */
  quota: RemainingQuota | null;
  /** Most recently used API key. Null if the account has no API key. */
  key: KeyUsage | null;
  resetAt: number;
  now: number;
}

/** Adds the overview page, which opens after sign-in. */
export function addOverviewPage(pages: Pages, services: Services): void {
  pages.get('/overview', async (context) => {
    const overview = await readOverview(services, context.var.session.accountId);
    const body = overviewView(overview, services, readerDateFormats(context));
    return page(context, { title: 'Overview', section: 'overview', body });
  });
}

async function readOverview(services: Services, accountId: number): Promise<Overview> {
  const { store, clock } = services;
  const now = clock();
  const today = dayOf(now);
  const hour = Math.floor(now / 3_600_000);
  const first = today - DAYS_SHOWN + 1;
  const [counted, latest, top, quota, keys] = await Promise.all([
    store.clicks.accountHours(accountId, hourNumber(first, 0), hour),
    store.links.list(accountId, null, MAX_LINKS),
    store.links.list(accountId, null, MAX_LINKS, 'clicks'),
    readQuota(services, accountId, 'links'),
    store.keys.list(accountId),
  ]);
  const { soFar, whole, before } = comparedDays(hour);
  const clicksBefore = clicksIn(before, counted);
  const bars = Array.from({ length: DAYS_SHOWN }, (_, at) => {
    const hours = { from: hourNumber(first + at, 0), to: hourNumber(first + at + 1, 0) };
    return { start: startOf(first + at), clicks: clicksIn(hours, counted) };
  });
  const key = keys.filter(({ revokedAt }) => revokedAt === null).sort(byLastUse)[0];
  return {
    bars,
    today: clicksIn(soFar, counted),
    change: clicksBefore === 0 ? null : Math.round((clicksIn(whole, counted) / clicksBefore - 1) * 100),
    latest,
    top: top.filter(({ clicks }) => clicks > 0),
    quota,
    key: key ? await readKeyUsage(services, key) : null,
    resetAt: startOf(today + 1),
    now,
  };
}

function byLastUse(one: ApiKey, other: ApiKey): number {
  return (other.lastUsedAt ?? 0) - (one.lastUsedAt ?? 0) || other.id - one.id;
}

function overviewView(overview: Overview, services: Services, times: DateFormats): Html {
  const { shortBaseUrls } = services;
  const { latest, top, now } = overview;
  return html`<div class="page-head"><h1>Overview</h1>
  <div class="page-end actions">${newLinkButton()}</div></div>
${
  latest.length === 0
    ? noLinks()
    : html`${clicksCard(overview, times)}
<div class="halves">
${linkList('latest', 'Latest links', '/links', latest, (link) => times.ago(link.createdAt, now), shortBaseUrls)}
${linkList('top', 'Most clicked', '/links?order=clicks', top, (link) => html`${formatCount(link.clicks, 'click')}`, shortBaseUrls)}
</div>`
}
<p class="help">${limitsLine(overview, times)}</p>
${newLinkPanel(services, times)}`;
}

function clicksCard(overview: Overview, times: DateFormats): Html {
  const { bars, now } = overview;
  const total = bars.reduce((sum, { clicks }) => sum + clicks, 0);
  return html`<section class="card" aria-labelledby="clicks-title">
  <div><h2 class="big-figure" id="clicks-title"><strong>${formatNumber(total)}</strong> ${total === 1 ? 'click' : 'clicks'} in ${DAYS_SHOWN} days</h2>
  <p class="soft">${todayLine(overview)}</p></div>
  ${clickChart(bars, { unit: 'day', label: `${DAYS_SHOWN} days`, now, times })}
</section>`;
}

/** Returns a text with today's clicks and the change from the same hours of yesterday. */
function todayLine({ today, change }: Overview): Html {
  const figure = html`${formatNumber(today)} today`;
  if (change === null) return figure;
  if (change === 0) return html`${figure}, as many as yesterday by now`;
  const percent = `${formatNumber(Math.abs(change))}%`;
  return html`${figure}, <strong>${percent} ${change > 0 ? 'more' : 'fewer'}</strong> than yesterday by now`;
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
  ${rows.length > 0 ? html`<ol class="rows">${rows}</ol>` : html`<p class="card-intro">No link has been clicked yet.</p>`}
</section>`;
}

/** Describes the remaining daily limits of the account and one API key, for example "5 of 7 links left today". */
function limitsLine({ quota, key, resetAt }: Overview, times: DateFormats): Html {
  if (!quota && !key) return html`<a href="/keys">Create an API key</a> to shorten pages with the extension.`;
  const links = (left: number, limit: number) => `${formatNumber(left)} of ${formatNumber(limit)}`;
  const withKey =
    key &&
    html`${links(key.limits.quota - key.used, key.limits.quota)}${quota ? '' : ' links left today'} with <a href="/keys/${key.key.id}"><bdi>${key.key.name}</bdi></a>`;
  return html`${quota ? `${links(quota.left, quota.limit)} links left today` : ''}${quota && key ? ', ' : ''}${withKey}. More at ${times.hourText(resetAt)}${times.zone === 'UTC' ? ' UTC' : ''}.`;
}
