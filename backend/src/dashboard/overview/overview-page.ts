import type { ShortBaseUrls } from '../../domain/links/short-domains.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import { clickChart } from '../components/click-chart.ts';
import { type DateFormats, formatCount, formatNumber, readerDateFormats } from '../components/dates-and-numbers.ts';
import { type Html, html, linkName, noLinks, shortUrl } from '../components/html-elements.ts';
import { page } from '../components/layout.ts';
import { linkAddress } from '../links/list-query.ts';
import { newLinkButton, newLinkPanel } from '../links/new-link-page.ts';
import type { Pages, Services } from '../services.ts';
import { DAYS_SHOWN, type Overview, readOverview } from './overview-data.ts';

/** Overview page, which opens after sign-in. */
export function addOverviewPage(pages: Pages, services: Services): void {
  pages.get('/overview', async (context) => {
    const overview = await readOverview(services, context.var.session.accountId);
    const body = overviewView(overview, {
      ...services,
      times: readerDateFormats(context),
    });
    return page(context, { title: 'Overview', section: 'overview', body });
  });
}

interface OverviewOptions extends Pick<Services, 'shortBaseUrls' | 'forwardQuery' | 'random'> {
  times: DateFormats;
}

export function overviewView(overview: Overview, options: OverviewOptions): Html {
  const { shortBaseUrls, times } = options;
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
${newLinkPanel(options, times)}`;
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
  return html`${figure}, ${change > 0 ? html`<strong class="is-up">${percent} more</strong>` : html`<strong>${percent} fewer</strong>`} than yesterday by now`;
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
