import { analyzeStoredClicks, type StoredClicks } from '../../clicks/read-analytics.ts';
import { addCounts, type Counts } from '../../domain/analytics/daily-counts.ts';
import type { Analysis, Range } from '../../domain/analytics/time-series.ts';
import type { DateRange, Unit } from './date-range.ts';
import { type DateFormats, formatCount, formatNumber } from './dates-and-numbers.ts';
import { type Html, html } from './html-elements.ts';

/** The height of the highest bar, in pixels. What is horizontal is in percent, so that the chart fits every screen. */
const HEIGHT = 200;
/** A few bars are not drawn wider than this, in percent: one alone would fill the whole chart. */
const WIDEST = 10;
/** How many words there are below the bars at most, and how far each is from both ends, in percent of a phone's chart. */
const [MOST_TICKS, TICK_MARGIN] = [6, 7];

/** Clicks over time as bars and as a table. Works without script; with it, pointing at a bar shows its figures. */
export function clicksChart(
  bars: readonly Bar[],
  { unit, label }: Pick<DateRange, 'unit' | 'label'>,
  times: DateFormats,
): Html {
  const most = Math.max(...bars.map(({ clicks }) => clicks));
  const total = bars.reduce((sum, { clicks }) => sum + clicks, 0);
  return html`<figure class="chart">
  <div class="chart-plot" data-label="Clicks by ${unit}">
    <div class="chart-scale" aria-hidden="true">${[1, 0.5, 0].map((part) => html`<span>${COMPACT.format(niceTop(most) * part)}</span>`)}</div>
    <svg class="chart-area" role="img" aria-labelledby="chart-title chart-desc">
      <title id="chart-title">Clicks by ${unit}, ${label}</title>
      <desc id="chart-desc">${formatCount(total, 'click')} in all, and at most ${formatNumber(most)} in one ${unit}. The table below has every figure.</desc>
      ${[0, HEIGHT / 2].map((y) => html`<line class="chart-grid" x1="0" x2="100%" y1="${y}" y2="${y}"/>`)}
      <line class="chart-base" x1="0" x2="100%" y1="${HEIGHT}" y2="${HEIGHT}"/>
      ${columns(bars, unit, niceTop(most), times)}
      ${ticks(bars, unit, times)}
    </svg>
  </div>
  <details class="more"><summary>Show as a table</summary><div class="table-box" tabindex="0" role="region" aria-label="Clicks by ${unit}"><table class="table">
    <thead><tr><th scope="col">${COLUMN_NAMES[unit]} (${unit === 'hour' ? times.zone : 'UTC'})</th><th scope="col">Clicks</th><th scope="col">Visitors</th><th scope="col">Bots</th></tr></thead>
    <tbody>${bars.map((bar) => html`<tr><th scope="row">${name(bar.start, unit, times)}</th><td>${formatNumber(bar.clicks)}</td><td>${formatNumber(bar.visitors)}</td><td>${formatNumber(bar.bots)}</td></tr>`)}</tbody>
  </table></div></details>
</figure>`;
}

/** Every bar, within a column that can be pointed at over its whole height. */
function columns(bars: readonly Bar[], unit: Unit, top: number, times: DateFormats): Html[] {
  const step = 100 / bars.length;
  const width = Math.min(step * 0.76, WIDEST);
  return bars.map((bar, at) => {
    const height = bar.clicks === 0 ? 0 : Math.max(2, (bar.clicks / top) * HEIGHT);
    const x = (at + 0.5) * step - width / 2;
    return html`<g class="chart-column"><title>${name(bar.start, unit, times)}: ${figures(bar)}</title><rect class="chart-hit" x="${percent(at * step)}" y="0" width="${percent(step)}" height="${HEIGHT}"/><rect class="chart-bar" x="${percent(x)}" y="${round(HEIGHT - height)}" width="${percent(width)}" height="${round(height)}" rx="2"/></g>`;
  });
}

/** A few words below the bars, far enough apart to be read on a phone. */
function ticks(bars: readonly Bar[], unit: Unit, times: DateFormats): Html[] {
  const every = Math.ceil(bars.length / MOST_TICKS);
  return bars
    .map(({ start }, at) => ({ start, at, x: ((at + 0.5) * 100) / bars.length }))
    .filter(({ at, x }) => at % every === Math.floor(every / 2) && x >= TICK_MARGIN && x <= 100 - TICK_MARGIN)
    .map(({ start, x }) => {
      const word = unit === 'hour' ? times.hourText(start) : (unit === 'month' ? SHORT_MONTH : DAY).format(start);
      return html`<text class="chart-text" x="${percent(x)}" y="${HEIGHT + 17}" text-anchor="middle">${word}</text>`;
    });
}

/** A round, even number no less than the highest bar. */
function niceTop(most: number): number {
  if (most <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 4, 6, 8, 10].map((times) => times * power).find((top) => top >= most) ?? most;
}

/** Ten thousand is 10K, so that the scale is narrow. */
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact' });

/** Clicks are counted by UTC days, so days and weeks are in UTC whatever the reader's zone. */
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const LONG_DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

const SHORT_MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

const COLUMN_NAMES: Record<Unit, string> = { hour: 'Hour from', day: 'Day', week: 'Week from', month: 'Month' };

/** What a bar stands for: "1 Jul 2026", "Week of 1 Jul 2026", "July 2026" or "1 Jul 2026, 17:30 GMT+5:30". */
function name(start: number, unit: Unit, times: DateFormats): string {
  if (unit === 'hour') return times.minuteText(start);
  if (unit === 'month') return MONTH.format(start);
  return unit === 'week' ? `Week of ${LONG_DAY.format(start)}` : LONG_DAY.format(start);
}

function figures({ clicks, visitors, bots }: Bar): string {
  return [formatCount(clicks, 'click'), formatCount(visitors, 'visitor'), formatCount(bots, 'bot')].join(', ');
}

function percent(number: number): string {
  return `${round(number)}%`;
}

function round(number: number): number {
  return Math.round(number * 100) / 100;
}

/** One bar of the chart, and the instant it begins at. */
export type Bar = Analysis['series'][number];

export interface LinkAnalytics {
  sum: Counts;
  bars: Bar[];
  names: Analysis['names'];
  /** What one bar stands for. */
  unit: Unit;
  /** The UTC days that they cover; more than were asked for where only whole months are kept. */
  days: Range;
}

/** The hours in a chart of hours, and the days in a week. */
const [HOURS, WEEK] = [24, 7];

/**
 * Adds up a link's clicks over a date range. Names (referrers, browsers and so on) are counted by the day, so those for the last
 * 24 hours cover two days. By the month where nothing finer is kept.
 */
export function linkAnalytics(kept: StoredClicks, { start, unit }: DateRange): LinkAnalytics {
  const { interval, analysis } = analyzeStoredClicks(kept, unit === 'hour' ? 'hour' : 'day');
  const isByMonth = interval === 'month';
  const bars = isByMonth ? analysis.series : barsOf(analysis.series, unit, start);
  const sum = bars.reduce(plus, { clicks: 0, visitors: 0, bots: 0 });
  return { bars, names: analysis.names, sum, unit: isByMonth ? 'month' : unit, days: kept.range };
}

function barsOf(series: readonly Bar[], unit: Unit, start: number): Bar[] {
  if (unit === 'hour') return series.filter((bar) => bar.start >= start).slice(0, HOURS);
  return grouped(series, unit === 'week' ? WEEK : 1);
}

function grouped(series: readonly Bar[], size: number): Bar[] {
  return series.flatMap((first, at) =>
    at % size === 0
      ? [{ ...series.slice(at, at + size).reduce(plus, { clicks: 0, visitors: 0, bots: 0 }), start: first.start }]
      : [],
  );
}

function plus(sum: Counts, more: Counts): Counts {
  const both = { ...sum };
  addCounts(both, more);
  return both;
}
