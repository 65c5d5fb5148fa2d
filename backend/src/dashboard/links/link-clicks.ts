import { ANALYTICS_RANGE } from '@terse/contract';
import {
  type Analysis,
  analyzeStoredClicks,
  type Range,
  readClicks,
  type StoredClicks,
} from '../../clicks/read-analytics.ts';
import { dayOf, hourOf, startOf } from '../../domain/analytics/calendar.ts';
import { addCounts, type Counts, type Kind, OTHER, UNKNOWN } from '../../domain/analytics/day-counts.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import type { Store } from '../../store/open-store.ts';
import { clickChart, type Unit } from '../components/click-chart.ts';
import { type DateFormats, formatCount, formatNumber } from '../components/dates-and-numbers.ts';
import { collectProblems, field, type Problems } from '../components/forms.ts';
import { type Html, html, linkAddress } from '../components/html-elements.ts';

/** Predefined date ranges that end today. `days` is the number of UTC days, and `unit` is the time span of one bar. */
export const PERIODS = {
  day: { label: '24 hours', days: 2, unit: 'hour' },
  week: { label: '7 days', days: 7, unit: 'day' },
  month: { label: '30 days', days: 30, unit: 'day' },
  year: { label: '12 months', days: 364, unit: 'week' },
} as const;

export type Period = keyof typeof PERIODS;

/** Maximum number of bars that show one day each. In a longer range, each bar shows a week. */
const MAX_DAY_BARS = 92;

const LABEL = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** Time range whose clicks are shown on a link's page. */
export interface DateRange {
  /** Selected period, such as 7 days. Null if the user entered the first and last day instead. */
  period: Period | null;
  label: string;
  unit: Unit;
  days: Range;
  /** Time at which the first bar starts. */
  start: number;
}

/** Date range that the user chose, with the text of the two date fields. */
interface ChosenRange {
  /** Null if one of the two days is invalid. */
  range: DateRange | null;
  from: string;
  to: string;
  problems: Problems;
}

/** Reads a predefined period, or the first and last day, from the query of a URL. The default is 30 days. */
export function chooseRange({ from, to, period }: Record<string, string>, now: number): ChosenRange {
  if (from !== undefined || to !== undefined) return parseDays(from ?? '', to ?? '', now);
  const name = period && Object.hasOwn(PERIODS, period) ? (period as Period) : 'month';
  const { label, days: count, unit } = PERIODS[name];
  const days = { from: dayOf(now) - count + 1, to: dayOf(now) };
  const start = unit === 'hour' ? startOf(dayOf(now), hourOf(now) - 23) : startOf(days.from);
  const range = { period: name, label, unit, days, start };
  return { range, from: dayText(days.from), to: dayText(days.to), problems: null };
}

function parseDays(from: string, to: string, now: number): ChosenRange {
  const days = { from: readDay(from), to: readDay(to) };
  const problems = collectProblems({ from: dayProblem(days.from), to: dayProblem(days.to) ?? orderProblem(days, now) });
  if (problems) return { range: null, from, to, problems };
  const count = days.to - days.from + 1;
  const unit = count === 1 ? 'hour' : count <= MAX_DAY_BARS ? 'day' : 'week';
  const range = { period: null, label: formatDays(days), unit, days, start: startOf(days.from) } as const;
  return { range, from, to, problems: null };
}

/** Formats a range of days: "1 Jul – 31 Jul 2026". */
function formatDays({ from, to }: Range): string {
  return LABEL.formatRange(startOf(from), startOf(to));
}

/** Returns the number of days since 1970, or NaN if the text is not a valid date. */
function readDay(text: string): number {
  const instant = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // `Date.parse` turns 30 February into 2 March, so the result is compared with the text.
  return Number.isNaN(instant) || dayText(dayOf(instant)) !== text ? Number.NaN : dayOf(instant);
}

function dayText(day: number): string {
  return new Date(startOf(day)).toISOString().slice(0, 10);
}

function dayProblem(day: number): string | null {
  return Number.isNaN(day) ? 'Enter a date, for example 2026-07-31.' : null;
}

function orderProblem({ from, to }: Range, now: number): string | null {
  if (Number.isNaN(from)) return null;
  if (to < from) return 'The last day is before the first day.';
  if (to - from >= ANALYTICS_RANGE.day) return `You can see at most ${ANALYTICS_RANGE.day} days at once.`;
  return from > dayOf(now) ? 'This day is in the future (in UTC).' : null;
}

const HOURS_SHOWN = 24;

const DAYS_IN_WEEK = 7;

const TABLES: { kind: Kind; label: string; unknown: string }[] = [
  { kind: 'referrers', label: 'Referrers', unknown: 'Direct' },
  { kind: 'countries', label: 'Countries', unknown: 'Unknown' },
  { kind: 'devices', label: 'Devices', unknown: 'Unknown' },
  { kind: 'browsers', label: 'Browsers', unknown: 'Unknown' },
  { kind: 'systems', label: 'Systems', unknown: 'Unknown' },
];

const DEVICES = new Map([
  ['desktop', 'Computer'],
  ['mobile', 'Phone'],
]);

/** Number of names that a table initially shows. The other names are collapsed. */
const MAX_NAMES_SHOWN = 8;

const REGIONS = new Intl.DisplayNames('en', { type: 'region' });

type Bar = Analysis['series'][number];

/** Clicks of a link in a date range. */
interface LinkClicks {
  sum: Counts;
  bars: Bar[];
  names: Analysis['names'];
  unit: Unit;
  /** Description of the range, such as "30 days". */
  label: string;
  range: DateRange;
}

/** Reads the clicks of a link in a date range. If some are stored only per month, each bar covers a month. */
export async function readLinkClicks(store: Store, linkId: number, range: DateRange): Promise<LinkClicks> {
  return linkClicks(await readClicks(store, linkId, range.days), range);
}

export function linkClicks(stored: StoredClicks, range: DateRange): LinkClicks {
  const { interval, analysis } = analyzeStoredClicks(stored, range.unit === 'hour' ? 'hour' : 'day');
  const isByMonth = interval === 'month';
  const bars = isByMonth ? analysis.series : toBars(analysis.series, range);
  const [unit, label] = isByMonth ? (['month', formatDays(stored.range)] as const) : [range.unit, range.label];
  return { bars, names: analysis.names, sum: sumOf(bars), unit, label, range };
}

function toBars(series: readonly Bar[], { unit, start }: DateRange): Bar[] {
  if (unit === 'hour') return series.filter((bar) => bar.start >= start).slice(0, HOURS_SHOWN);
  if (unit === 'day') return [...series];
  return series.flatMap(({ start: first }, at) =>
    at % DAYS_IN_WEEK === 0 ? [{ ...sumOf(series.slice(at, at + DAYS_IN_WEEK)), start: first }] : [],
  );
}

function sumOf(bars: readonly Counts[]): Counts {
  const sum = { clicks: 0, visitors: 0, bots: 0 };
  for (const bar of bars) addCounts(sum, bar);
  return sum;
}

/**
 * Draws the clicks of a link: their number, a chart, and tables of referrers, countries and other properties.
 *
 * @param clicks null if the user entered an invalid day
 */
export function clicksView(
  link: StoredLink,
  chosen: ChosenRange,
  clicks: LinkClicks | null,
  { now, times }: { now: number; times: DateFormats },
): Html {
  const address = linkAddress(link.code);
  return html`<section class="card" aria-label="Clicks">
  <div class="card-head">${clicks ? figures(link, clicks) : html`<h2>Clicks</h2>`}${dateRangePicker(address, chosen)}</div>
  ${daysForm(address, chosen)}
  ${clicks ? clickChart(clicks.bars, { ...clicks, now, times }) : ''}
  ${clicks?.unit === 'month' ? html`<p class="help">Older clicks are stored per month, so this range shows whole months: ${clicks.label} (UTC).</p>` : ''}
</section>
${clicks && clicks.sum.clicks > 0 ? namesTables(clicks) : ''}`;
}

/** Draws a link for each predefined period. The last link, "Custom", opens a page with two date fields. */
function dateRangePicker(address: string, { range, from, to }: ChosenRange): Html {
  const current = range?.period ?? null;
  const item = (query: string, label: string, isCurrent: boolean) =>
    html`<li><a class="segment" href="${address}?${query}" ${isCurrent ? html`aria-current="true"` : ''}>${label}</a></li>`;
  const periods = Object.entries(PERIODS).map(([period, { label }]) =>
    item(`period=${period}`, label, period === current),
  );
  const custom = item(String(new URLSearchParams({ from, to })), 'Custom', current === null);
  return html`<nav class="periods" aria-label="Period"><ul class="segments">${periods}${custom}</ul></nav>`;
}

/** Draws the fields for the first and last day. Returns an empty string if a predefined period is selected. */
function daysForm(address: string, { range, from, to, problems }: ChosenRange): Html | '' {
  if (range && range.period !== null) return '';
  return html`<form class="inline-form" method="get" action="${address}" novalidate>
  ${field({ name: 'from', label: 'First day (UTC)', type: 'date', value: from, required: true }, problems)}
  ${field({ name: 'to', label: 'Last day (UTC)', type: 'date', value: to, required: true }, problems)}
  <button class="button" type="submit">Show</button>
</form>`;
}

/**
 * Draws the number of clicks, visitors and bots in the date range, and the number of all clicks since the link was
 * created.
 */
function figures(link: StoredLink, { range, sum, unit, label }: LinkClicks): Html {
  const period = range.period === null || unit === 'month' ? `, ${label}` : ` in ${label}`;
  const imported = link.importedClicks === 0 ? '' : `, and ${formatNumber(link.importedClicks)} imported`;
  return html`<div><h2 class="big-figure"><strong>${formatNumber(sum.clicks)}</strong> ${sum.clicks === 1 ? 'click' : 'clicks'}${period}</h2>
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
  return kind === 'devices' ? (DEVICES.get(name) ?? name.charAt(0).toUpperCase() + name.slice(1)) : name;
}

/** Returns the name of a country. A code that is not a country, such as "T1" for Tor, is returned unchanged. */
function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (REGIONS.of(code) ?? code) : code;
}
