import type { Hours } from '../../domain/analytics/calendar.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import { type DateFormats, formatCount, formatNumber, readerTimes } from '../components/dates-and-numbers.ts';
import { type Html, html, icon, noLinks, shortUrl } from '../components/html-elements.ts';
import { page } from '../components/layout.ts';
import { linkAddress } from '../links/link-list-address.ts';
import type { Page, Services } from '../page-definition.ts';
import type { BudgetLeft, KeyUse } from '../remaining-quota.ts';
import { type Overview, overviewOf, type PeriodClicks } from './overview-data.ts';

const HOUR = 3_600_000;

export function overviewView(overview: Overview, shortBaseUrl: string, times: DateFormats): Html {
  const { day, month, since, top, latest, left } = overview;
  return html`<div class="page-head"><h1>Overview</h1>
  <div class="page-end actions"><a class="button is-primary" href="/links/new">${icon('plus')}New link</a></div></div>
<div class="halves">
${clicksCard('Clicks today', day, since)}
${clicksCard('Clicks this month', month, since)}
</div>
${
  latest.length === 0
    ? noLinks()
    : html`<div class="halves">
${linkList('top', 'Most clicked', '/links?order=clicks', top, (link) => html`${formatCount(link.clicks, 'click')}`, shortBaseUrl)}
${linkList('latest', 'Latest links', '/links', latest, (link) => times.day(link.createdAt), shortBaseUrl)}
</div>`
}
${leftCard(left, times)}`;
}

function clicksCard(title: string, period: PeriodClicks, since: number | null): Html {
  const id = title.toLowerCase().replaceAll(' ', '-');
  return html`<section class="card clicks-card" aria-labelledby="${id}">
  <h2 id="${id}">${title}</h2>
  <p class="big-figure"><strong>${formatNumber(period.soFar)}</strong>${change(period)}</p>
  ${comparison(period, since)}
</section>`;
}

/** How much more or less than before, in percent. Nothing can be said of a period that began without any. */
function change({ whole, before, hours }: PeriodClicks): Html | '' {
  if (before === null || before === 0 || hours.whole.to === hours.whole.from) return '';
  const percent = Math.round((whole / before - 1) * 100);
  const tone = percent > 0 ? 'chip is-good' : 'chip';
  const sign = percent > 0 ? '+' : percent < 0 ? '−' : '±';
  return html` <span class="${tone}">${sign}${formatNumber(Math.abs(percent))}%</span>`;
}

/** Says which parts of both periods are compared, and what is left of the total: the clicks of the hour that is not over. */
function comparison({ soFar, whole, before, hours }: PeriodClicks, since: number | null): Html {
  if (before === null) {
    return html`<p class="help">Clicks of all links together are counted since ${SINCE.format((since ?? 0) * HOUR)} UTC, so there is nothing to compare with yet.</p>`;
  }
  if (hours.whole.to === hours.whole.from)
    return html`<p class="help">There is nothing to compare before 01:00 UTC.</p>`;
  const rest = soFar > whole ? html`Since ${hourText(hours.whole.to)}: ${formatNumber(soFar - whole)}<br>` : '';
  return html`<p class="help">${rangeText(hours.whole)}: ${formatNumber(whole)}<br>${rest}${rangeText(hours.before)}: ${formatNumber(before)}</p>`;
}

const SINCE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Hours as people say them: "14 Jul, 00:00 to 14:00 UTC", "1 Jul to 14 Jul, 14:00 UTC". The end of a day is its 24:00. */
function rangeText({ from, to }: Hours): string {
  const [first, last] = [DAY.format(from * HOUR), DAY.format((to - 1) * HOUR)];
  const end = `${String(((to - 1) % 24) + 1).padStart(2, '0')}:00 UTC`;
  return first === last ? `${first}, 00:00 to ${end}` : `${first} to ${last}, ${end}`;
}

function hourText(hour: number): string {
  return `${String(hour % 24).padStart(2, '0')}:00 UTC`;
}

function linkList(
  id: string,
  title: string,
  all: string,
  links: StoredLink[],
  note: (link: StoredLink) => Html,
  shortBaseUrl: string,
): Html {
  const rows = links.map(
    (link) => html`<li class="row brief">
    <div class="row-text"><p class="line"><a class="short" href="${linkAddress(link.code)}" dir="ltr">${shortUrl(shortBaseUrl, link.code)}</a></p>
    <p class="line row-note"><bdi>${link.title ?? link.url}</bdi></p></div>
    <p class="row-note">${note(link)}</p>
  </li>`,
  );
  return html`<section class="card" aria-labelledby="${id}-title">
  <div class="card-head"><h2 id="${id}-title">${title}</h2><a href="${all}">All links</a></div>
  ${rows.length > 0 ? html`<ol class="rows">${rows}</ol>` : html`<p class="card-intro">None of your links was clicked yet.</p>`}
</section>`;
}

function leftCard({ links, rows, keys, hasMoreKeys, resetAt }: Overview['left'], times: DateFormats): Html {
  const none = links === null && rows === null;
  return html`<section class="card" aria-labelledby="left-title">
  <div><h2 id="left-title">Left today</h2>
  <p class="card-intro">${none ? 'Your account has no limit; its keys do. ' : ''}Counting starts over on ${times.minute(resetAt)}.</p></div>
  <ul class="rows">
  ${links ? budgetRow('Links', 'By your keys and the form here together', links) : ''}
  ${rows ? budgetRow('Rows to import', '', rows) : ''}
  ${keys.map(keyRow)}
  </ul>
  ${keys.length === 0 ? html`<p>No program can make links for you yet: <a href="/keys">create a key</a>.</p>` : ''}
  ${hasMoreKeys ? html`<p><a href="/keys">All keys</a></p>` : ''}
</section>`;
}

function budgetRow(name: string, note: string, { left, most }: BudgetLeft): Html {
  return leftRow(html`${name}`, note, left, most);
}

function keyRow({ key, limits, used }: KeyUse): Html {
  return leftRow(html`<a href="/keys/${key.id}"><bdi>${key.name}</bdi></a>`, 'Key', limits.quota - used, limits.quota);
}

function leftRow(name: Html, note: string, left: number, most: number): Html {
  const label = `${formatNumber(left)} of ${formatNumber(most)} left`;
  return html`<li class="row"><div class="row-text"><p class="row-title">${name}</p>${note ? html`<p class="row-note">${note}</p>` : ''}</div>
  <div class="use"><meter min="0" max="${most}" value="${left}" aria-label="${label}"></meter><span>${label}</span></div></li>`;
}

/** The first page of whoever is signed in. */
export function overviewPages(services: Services): Page[] {
  return [
    {
      method: 'GET',
      path: '/overview',
      access: 'holder',
      async handle(context) {
        const overview = await overviewOf(services, context.var.session.accountId);
        const body = overviewView(overview, services.shortBaseUrl, readerTimes(context));
        return page(context, { title: 'Overview', section: 'overview', body });
      },
    },
  ];
}
