import { ANALYTICS_RANGE } from '@terse/contract';
import { dayOf, hourOf, startOf } from '../../domain/analytics/calendar.ts';
import type { Range } from '../../domain/analytics/time-series.ts';
import type { Unit } from '../components/click-chart.ts';
import { collectProblems, field, type Problems } from '../components/forms.ts';
import { type Html, html } from '../components/html-elements.ts';

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
export interface ChosenRange {
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
export function formatDays({ from, to }: Range): string {
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

/** Draws a link for each predefined period. The last link, "Custom", opens a page with two date fields. */
export function dateRangePicker(address: string, { range, from, to }: ChosenRange): Html {
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
export function daysForm(address: string, { range, from, to, problems }: ChosenRange): Html | '' {
  if (range && range.period !== null) return '';
  return html`<form class="inline-form days-form" method="get" action="${address}" novalidate>
  ${field({ name: 'from', label: 'First day (UTC)', type: 'date', value: from, required: true }, problems)}
  ${field({ name: 'to', label: 'Last day (UTC)', type: 'date', value: to, required: true }, problems)}
  <button class="button" type="submit">Show</button>
</form>`;
}
