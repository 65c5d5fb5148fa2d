import type { Hours } from '../../domain/analytics/calendar.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import { type DateFormats, formatCount, formatNumber, readerDateFormats } from '../components/dates-and-numbers.ts';
import { type Html, html, icon, noLinks, shortUrl } from '../components/html-elements.ts';
import { page } from '../components/layout.ts';
import { linkAddress } from '../links/link-list-address.ts';
import type { Page, Services } from '../page-definition.ts';
import type { KeyUsage, RemainingQuota } from '../remaining-quota.ts';
import { type Overview, type PeriodClicks, readOverview } from './overview-data.ts';

const HOUR = 3_600_000;

export function overviewPages(services: Services): Page[] {
  return [
    {
      method: 'GET',
      path: '/overview',
      access: 'user',
      async handle(context) {
        const overview = await readOverview(services, context.var.session.accountId);
        const body = overviewView(overview, services.shortBaseUrl, readerDateFormats(context));
        return page(context, { title: 'Overview', section: 'overview', body });
      },
    },
  ];
}

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
${quotaCard(left, times)}`;
}

function clicksCard(title: string, period: PeriodClicks, since: number | null): Html {
  const id = title.toLowerCase().replaceAll(' ', '-');
  return html`<section class="card clicks-card" aria-labelledby="${id}">
  <h2 id="${id}">${title}</h2>
  <p class="big-figure"><strong>${formatNumber(period.soFar)}</strong>${changeChip(period)}</p>
  ${comparison(period, since)}
</section>`;
}

/** Returns the change since the previous period in percent, or nothing if the previous period had no clicks. */
function changeChip({ whole, before, hours }: PeriodClicks): Html | '' {
  if (before === null || before === 0 || hours.whole.to === hours.whole.from) return '';
  const percent = Math.round((whole / before - 1) * 100);
  const tone = percent > 0 ? 'chip is-good' : 'chip';
  const sign = percent > 0 ? '+' : percent < 0 ? '−' : '±';
  return html` <span class="${tone}">${sign}${formatNumber(Math.abs(percent))}%</span>`;
}

/** Describes the two periods that are compared. */
function comparison({ soFar, whole, before, hours }: PeriodClicks, since: number | null): Html {
  if (before === null) {
    return html`<p class="help">There is nothing to compare with yet: account-wide counting started on ${SINCE.format((since ?? 0) * HOUR)} UTC.</p>`;
  }
  if (hours.whole.to === hours.whole.from)
    return html`<p class="help">There is nothing to compare with before 01:00 UTC.</p>`;
  const rest = soFar > whole ? html`Since ${hourText(hours.whole.to)}: ${formatNumber(soFar - whole)}<br>` : '';
  return html`<p class="help">${rangeText(hours.whole)}: ${formatNumber(whole)}<br>${rest}${rangeText(hours.before)}: ${formatNumber(before)}</p>`;
}

const SINCE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Formats a range of hours: "14 Jul, 00:00 to 14:00 UTC" or "1 Jul to 14 Jul, 14:00 UTC". */
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
  ${rows.length > 0 ? html`<ol class="rows">${rows}</ol>` : html`<p class="card-intro">None of your links has been clicked yet.</p>`}
</section>`;
}

function quotaCard({ links, rows, keys, hasMoreKeys, resetAt }: Overview['left'], times: DateFormats): Html {
  const isUnlimited = links === null && rows === null;
  return html`<section class="card" aria-labelledby="left-title">
  <div><h2 id="left-title">Daily limits</h2>
  <p class="card-intro">${isUnlimited ? 'Your account has no daily limit, but its API keys do. ' : ''}Limits reset on ${times.minute(resetAt)}.</p></div>
  <ul class="rows">
  ${links ? accountQuotaRow('Links', 'Created with your API keys and on this dashboard', links) : ''}
  ${rows ? accountQuotaRow('Imported rows', '', rows) : ''}
  ${keys.map(keyRow)}
  </ul>
  ${keys.length === 0 ? html`<p>To create links with the extension or other programs, <a href="/keys">create an API key</a>.</p>` : ''}
  ${hasMoreKeys ? html`<p><a href="/keys">All API keys</a></p>` : ''}
</section>`;
}

function accountQuotaRow(name: string, note: string, { left, limit }: RemainingQuota): Html {
  return quotaRow(html`${name}`, note, left, limit);
}

function keyRow({ key, limits, used }: KeyUsage): Html {
  return quotaRow(
    html`<a href="/keys/${key.id}"><bdi>${key.name}</bdi></a>`,
    'API key',
    limits.quota - used,
    limits.quota,
  );
}

function quotaRow(name: Html, note: string, left: number, limit: number): Html {
  const label = `${formatNumber(left)} of ${formatNumber(limit)} left today`;
  return html`<li class="row"><div class="row-text"><p class="row-title">${name}</p>${note ? html`<p class="row-note">${note}</p>` : ''}</div>
  <div class="use"><meter min="0" max="${limit}" value="${left}" aria-label="${label}"></meter><span>${label}</span></div></li>`;
}
