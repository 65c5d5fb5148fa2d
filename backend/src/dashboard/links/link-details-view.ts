import type { Counts, Kind } from '../../domain/analytics/daily-counts.ts';
import { OTHER, UNKNOWN } from '../../domain/analytics/top-values.ts';
import { codePath } from '../../domain/links/short-codes.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import { clickChart, type LinkAnalytics } from '../components/click-chart.ts';
import { type DateRange, dateRangePicker, daysForm, formatDays, type PickedRange } from '../components/date-range.ts';
import { type DateFormats, formatNumber } from '../components/dates-and-numbers.ts';
import type { Problems } from '../components/forms.ts';
import { copyButton, flashMessage, type Html, html, icon, shortUrl } from '../components/html-elements.ts';
import { qrCode } from '../components/qr-code.ts';
import { type EditFields, editForm } from './edit-link-form.ts';
import { linkAddress } from './link-list-address.ts';

interface LinkView {
  link: StoredLink;
  /** Null if the user entered an invalid day. */
  clicks: { range: DateRange; analytics: LinkAnalytics } | null;
  picked: PickedRange;
  fields: EditFields;
  problems: Problems;
  isSaved: boolean;
  shortBaseUrl: string;
  now: number;
  times: DateFormats;
}

const TABLES: { kind: Kind; label: string; unknown: string }[] = [
  { kind: 'referrers', label: 'Referrers', unknown: 'Direct or unknown' },
  { kind: 'browsers', label: 'Browsers', unknown: 'Unknown' },
  { kind: 'systems', label: 'Systems', unknown: 'Unknown' },
  { kind: 'devices', label: 'Devices', unknown: 'Unknown' },
  { kind: 'countries', label: 'Countries', unknown: 'Unknown' },
];

/** Number of names that a table shows before "Show all". */
const MAX_NAMES_SHOWN = 8;

export function linkDetailsView(view: LinkView): Html {
  const { link, shortBaseUrl, now, times } = view;
  const url = `${shortBaseUrl}/${codePath(link.code)}`;
  const isExpired = link.expiresAt !== null && link.expiresAt <= now;
  return html`<nav class="crumbs" aria-label="Up"><a href="/links">${icon('back')}Links</a></nav>
<div class="page-head is-link">
  <div class="head-text">
    <h1><a class="short" href="${url}" dir="ltr" rel="noreferrer">${shortUrl(shortBaseUrl, link.code)}</a>${isExpired ? html` <span class="chip is-warning">Expired</span>` : ''}</h1>
    ${link.title ? html`<p class="head-title"><bdi>${link.title}</bdi></p>` : ''}
    <p class="head-url" dir="ltr">${link.url}</p>
    <p class="help">Created ${times.minute(link.createdAt)}${link.expiresAt === null ? '' : html` · ${isExpired ? 'expired' : 'expires'} ${times.minute(link.expiresAt)}`}</p>
  </div>
  <div class="page-end">${copyButton(url, 'Copy')}</div>
</div>
${view.isSaved ? flashMessage('The link was saved.') : ''}
${clicksCard(view)}
<div class="pair">
${editForm(link, view.fields, view.problems, times)}
<section class="card qr-section" aria-labelledby="qr-title">
  <h2 class="qr-title" id="qr-title">QR code</h2>
  ${qrCode(url, `QR code of ${url}`)}
  <div class="actions"><a class="button" href="${linkAddress(link.code)}/qr.svg" download>${icon('down')}SVG</a><a class="button" href="${linkAddress(link.code)}/qr.png" download>${icon('down')}PNG</a></div>
</section>
</div>
<section class="card" aria-labelledby="delete-title">
  <div><h2 id="delete-title">Delete this link</h2><p class="card-intro">The short URL stops working, and its short code is never used again.</p></div>
  <form method="post" action="${linkAddress(link.code)}/delete"><button class="button is-danger" type="submit">${icon('trash')}Delete</button></form>
</section>`;
}

function clicksCard({ link, clicks, picked, times }: LinkView): Html {
  const address = linkAddress(link.code);
  const { sum } = clicks?.analytics ?? {};
  return html`<section class="card" aria-labelledby="clicks-title">
  <div class="card-head"><h2 id="clicks-title">Clicks</h2>${dateRangePicker(address, picked)}</div>
  ${daysForm(address, picked)}
  ${sum ? clickTotals(sum, link) : ''}
  ${clicks ? clickChart(clicks.analytics.bars, chartLabels(clicks), times) : ''}
  ${clicks?.analytics.unit === 'month' ? html`<p class="help">Older clicks are stored per month, so this range shows whole months: ${formatDays(clicks.analytics.days)} (UTC).</p>` : ''}
</section>
${sum?.clicks && clicks?.range.period === 'day' ? html`<p class="help">The tables below cover today and yesterday (UTC), because their data is stored per day.</p>` : ''}
${sum?.clicks ? html`<div class="tables">${TABLES.map((table) => namesTable(table, clicks?.analytics as LinkAnalytics))}</div>` : ''}`;
}

function chartLabels({ range, analytics: { unit, days } }: NonNullable<LinkView['clicks']>) {
  return { unit, label: unit === 'month' ? formatDays(days) : range.label };
}

function clickTotals(sum: Counts, link: StoredLink): Html {
  return html`<dl class="facts is-plain">
    <div><dt>Clicks</dt><dd>${formatNumber(sum.clicks)}</dd></div>
    <div><dt>Visitors</dt><dd>${formatNumber(sum.visitors)}</dd></div>
    <div><dt>Bots (not counted as clicks)</dt><dd>${formatNumber(sum.bots)}</dd></div>
    <div><dt>All-time clicks</dt><dd>${formatNumber(link.clicks)}</dd></div>
  </dl>`;
}

/** Draws a table of names, such as countries or browsers, with their clicks. */
function namesTable({ kind, label, unknown }: (typeof TABLES)[number], { names }: LinkAnalytics): Html {
  const entries = names[kind];
  const highest = entries[0]?.[1] ?? 1;
  const rows = entries.map(
    ([name, clicks]) =>
      html`<tr><th scope="row"><span class="line"><bdi>${displayName(kind, name, unknown)}</bdi></span><meter class="share" min="0" max="${highest}" value="${clicks}" aria-hidden="true"></meter></th><td>${formatNumber(clicks)}</td></tr>`,
  );
  const head = html`<thead><tr><th scope="col">${label}</th><th scope="col">Clicks</th></tr></thead>`;
  const rest = rows.slice(MAX_NAMES_SHOWN);
  return html`<section class="card names" aria-label="${label}">
  <table class="table is-names">${head}<tbody>${rows.slice(0, MAX_NAMES_SHOWN)}</tbody></table>
  ${rest.length > 0 ? html`<details class="more"><summary>${rest.length} more</summary><table class="table is-names"><thead class="visually-hidden"><tr><th scope="col">${label}</th><th scope="col">Clicks</th></tr></thead><tbody>${rest}</tbody></table></details>` : ''}
</section>`;
}

/** Returns a readable name: "Germany" for "DE", "Desktop" for "desktop". */
function displayName(kind: Kind, name: string, unknown: string): string {
  if (name === UNKNOWN) return unknown;
  if (name === OTHER) return 'Other';
  if (kind === 'countries') return countryName(name);
  return kind === 'devices' ? name.charAt(0).toUpperCase() + name.slice(1) : name;
}

const REGIONS = new Intl.DisplayNames('en', { type: 'region' });

/** Returns the name of a country. Some codes are not countries, such as "T1" for Tor, and are returned unchanged. */
function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (REGIONS.of(code) ?? code) : code;
}
