import { analyzeDays } from '../../clicks/read-analytics.ts';
import {
  addCounts,
  dayOf,
  firstDayOf,
  hourOf,
  type Kind,
  monthOf,
  OTHER,
  startOf,
  UNKNOWN,
} from '../../domain/analytics/day-counts.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import type { Store } from '../../store/open-store.ts';
import { clickChart } from '../components/click-chart.ts';
import { type DateFormats, formatCount, formatNumber } from '../components/dates-and-numbers.ts';
import { type Html, html, linkAddress } from '../components/html-elements.ts';

/** Periods that end today. `unit` is the time span of one bar in the chart. */
export const PERIODS = {
  day: { label: '24 hours', unit: 'hour', firstDay: (today: number) => today - 1 },
  week: { label: '7 days', unit: 'day', firstDay: (today: number) => today - 6 },
  month: { label: '30 days', unit: 'day', firstDay: (today: number) => today - 29 },
  year: { label: '12 months', unit: 'month', firstDay: (today: number) => firstDayOf(monthOf(today) - 11) },
} as const;

export type Period = keyof typeof PERIODS;

const HOURS_SHOWN = 24;

/** Time range whose clicks are shown on a link's page. The first bar starts at the time `start`. */
type DateRange = ReturnType<typeof rangeOf>;

/** Returns the range of a period that ends now. The default is 30 days. */
export function rangeOf(asked: string | undefined, now: number) {
  const period = asked && Object.hasOwn(PERIODS, asked) ? (asked as Period) : 'month';
  const { label, unit, firstDay } = PERIODS[period];
  const days = { from: firstDay(dayOf(now)), to: dayOf(now) };
  const start = unit === 'hour' ? startOf(dayOf(now), hourOf(now) - HOURS_SHOWN + 1) : startOf(days.from);
  return { period, label, unit, days, start };
}

const TABLES: { kind: Kind; label: string; unknown: string }[] = [
  { kind: 'referrers', label: 'Referrers', unknown: 'Direct' },
  { kind: 'countries', label: 'Countries', unknown: 'Unknown' },
  { kind: 'devices', label: 'Devices', unknown: 'Unknown' },
  { kind: 'browsers', label: 'Browsers', unknown: 'Unknown' },
  { kind: 'systems', label: 'Systems', unknown: 'Unknown' },
];

const DEVICES: Record<string, string> = { desktop: 'Computer', mobile: 'Phone' };

/** Number of names that a table initially shows. The other names are collapsed. */
const MAX_NAMES_SHOWN = 8;

type LinkClicks = Awaited<ReturnType<typeof readLinkClicks>>;

/** Reads the clicks of a link in a date range. */
export async function readLinkClicks(
  { clicks }: { clicks: Pick<Store['clicks'], 'days'> },
  linkId: number,
  range: DateRange,
) {
  const days = await clicks.days(linkId, range.days.from, range.days.to);
  const { series, names } = analyzeDays(days, range.days, range.unit);
  const bars = series.filter(({ start }) => start >= range.start);
  if (range.unit === 'hour') bars.splice(HOURS_SHOWN);
  const sum = { clicks: 0, visitors: 0, bots: 0 };
  for (const bar of bars) addCounts(sum, bar);
  return { bars, names, sum, range };
}

/** Draws the clicks of a link: their number, a chart, and tables of referrers, countries and other properties. */
export function clicksView(link: StoredLink, clicks: LinkClicks, times: DateFormats): Html {
  return html`<section class="card" aria-label="Clicks">
  <div class="card-head">${figures(link, clicks)}${periodLinks(linkAddress(link.code), clicks.range.period)}</div>
  ${clickChart(clicks.bars, { ...clicks.range, times })}
</section>
${clicks.sum.clicks > 0 ? namesTables(clicks) : ''}`;
}

/** Draws a link for each period. */
function periodLinks(address: string, current: Period): Html {
  const items = Object.entries(PERIODS).map(([period, { label }]) => {
    const currentMark = period === current ? html`aria-current="true"` : '';
    return html`<li><a class="segment" href="${address}?period=${period}" ${currentMark}>${label}</a></li>`;
  });
  return html`<nav class="periods" aria-label="Period"><ul class="segments">${items}</ul></nav>`;
}

/**
 * Draws the number of clicks, visitors and bots in the date range, and the number of all clicks since the link was
 * created.
 */
function figures(link: StoredLink, { sum, range }: LinkClicks): Html {
  const imported = link.importedClicks === 0 ? '' : `, and ${formatNumber(link.importedClicks)} imported`;
  return html`<div><h2 class="big-figure"><strong>${formatNumber(sum.clicks)}</strong> ${sum.clicks === 1 ? 'click' : 'clicks'} in ${range.label}</h2>
  <p class="soft">${formatCount(sum.visitors, 'visitor')}. ${formatCount(sum.bots, 'bot')}, not counted. ${formatCount(link.clicks, 'click')} in total${imported}.</p></div>`;
}

/** Draws the tables of names. Names are stored per UTC day, so a period of 24 hours covers two days. */
function namesTables({ names, range }: LinkClicks): Html {
  const note = html`<p class="help">The tables below cover today and yesterday (UTC), because their data is stored per day.</p>`;
  return html`${range.period === 'day' ? note : ''}
<div class="tables">${TABLES.map((table) => namesTable(table, names[table.kind]))}</div>`;
}

/** Draws a table of names with their clicks. Each name has a bar in the background. */
function namesTable({ kind, label, unknown }: (typeof TABLES)[number], entries: [string, number][]): Html {
  const highest = entries[0]?.[1] ?? 1;
  const rows = entries.map(
    ([name, clicks]) =>
      html`<tr><th scope="row"><svg class="share" aria-hidden="true"><rect width="${Math.round((clicks / highest) * 1000) / 10}%" height="100%" rx="4"/></svg><span class="line"><bdi>${displayName(kind, name, unknown)}</bdi></span></th><td>${formatNumber(clicks)}</td></tr>`,
  );
  const head = html`<thead><tr><th scope="col"><span class="visually-hidden">${label}</span></th><th scope="col"><span class="visually-hidden">Clicks</span></th></tr></thead>`;
  const rest = rows.slice(MAX_NAMES_SHOWN);
  return html`<section class="card names" aria-label="${label}">
  <h2>${label}</h2>
  <table class="table is-names">${head}<tbody>${rows.slice(0, MAX_NAMES_SHOWN)}</tbody></table>
  ${rest.length > 0 ? html`<details class="more"><summary>${rest.length} more</summary><table class="table is-names">${head}<tbody>${rest}</tbody></table></details>` : ''}
</section>`;
}

/** Returns a readable name, such as "Germany" for "DE" or "Computer" for "desktop". */
function displayName(kind: Kind, name: string, unknown: string): string {
  if (name === UNKNOWN) return unknown;
  if (name === OTHER) return 'Other';
  if (kind === 'countries') return countryName(name);
  return kind === 'devices' ? (DEVICES[name] ?? name.charAt(0).toUpperCase() + name.slice(1)) : name;
}

/** Returns the name of a country. A code that is not a country, such as "T1" for Tor, is returned unchanged. */
function countryName(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code;
}
