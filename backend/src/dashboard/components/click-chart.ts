import type { Counts } from '../../domain/analytics/day-counts.ts';
import { type DateFormats, formatCount, formatNumber } from './dates-and-numbers.ts';
import { type Html, html } from './html-elements.ts';

/** Maximum height of a bar, in pixels. */
const CHART_HEIGHT = 200;

/** Maximum width of a bar, in percent of the chart's width. */
const MAX_BAR_WIDTH = 10;

const MAX_TICKS = 6;

/** Minimum distance between a label and the left or right edge of the chart, in percent. */
const TICK_MARGIN = 7;

/** Time span of one bar in the chart. */
export type Unit = 'hour' | 'day' | 'month';

const COLUMN_NAMES: Record<Unit, string> = { hour: 'Hour from', day: 'Day', month: 'Month' };

/**
 * Returns the formats of a day or month: for the chart's horizontal axis, and for a bar's name. The time zone is UTC,
 * because clicks are counted per UTC day. Date formats need several megabytes of memory, so they are created only for
 * pages, not when the service starts.
 */
function barFormats(unit: Unit): { short: Intl.DateTimeFormat; long: Intl.DateTimeFormat } {
  const timeZone = 'UTC';
  const [short, long]: Intl.DateTimeFormatOptions[] =
    unit === 'month'
      ? [{ month: 'short' }, { month: 'long', year: 'numeric' }]
      : [{ day: 'numeric', month: 'short' }, { dateStyle: 'medium' }];
  return {
    short: new Intl.DateTimeFormat('en-GB', { ...short, timeZone }),
    long: new Intl.DateTimeFormat('en-GB', { ...long, timeZone }),
  };
}

/**
 * Start time and number of clicks of a bar in the chart. The numbers of visitors and bots are known only in charts of
 * a single link.
 */
export type Bar = { start: number; clicks: number } & Partial<Counts>;

interface ChartOptions {
  unit: Unit;
  label: string;
  times: DateFormats;
}

/** Draws a bar chart of clicks over time, followed by a table of the same data. The last bar covers the present. */
export function clickChart(bars: readonly Bar[], { unit, label, times }: ChartOptions): Html {
  const highest = Math.max(...bars.map(({ clicks }) => clicks));
  const total = bars.reduce((sum, { clicks }) => sum + clicks, 0);
  const { short, long } = barFormats(unit);
  // For example, 10,000 becomes "10K".
  const scale = new Intl.NumberFormat('en', { notation: 'compact' });
  /** Returns a bar's name: "1 Jul 2026", "July 2026" or "1 Jul 2026, 17:30 GMT+5:30". */
  const nameOf = (start: number) => (unit === 'hour' ? times.minuteText(start) : long.format(start));
  const tickText = (start: number) => (unit === 'hour' ? times.hourText(start) : short.format(start));
  const named = bars.map((bar, at) => {
    const isRunning = at === bars.length - 1;
    return { ...bar, isRunning, name: `${nameOf(bar.start)}${isRunning ? ', so far' : ''}` };
  });
  return html`<figure class="chart">
  <div class="chart-plot" data-label="Clicks by ${unit}">
    <div class="chart-scale" aria-hidden="true">${[1, 0.5, 0].map((part) => html`<span>${scale.format(niceTop(highest) * part)}</span>`)}</div>
    <svg class="chart-area" role="img" aria-labelledby="chart-title chart-desc">
      <title id="chart-title">Clicks by ${unit}, ${label}</title>
      <desc id="chart-desc">${formatCount(total, 'click')} in total, and at most ${formatNumber(highest)} in one ${unit}. The table below lists all numbers.</desc>
      ${[0, CHART_HEIGHT / 2].map((y) => html`<line class="chart-grid" x1="0" x2="100%" y1="${y}" y2="${y}"/>`)}
      <line class="chart-base" x1="0" x2="100%" y1="${CHART_HEIGHT}" y2="${CHART_HEIGHT}"/>
      ${columns(named, niceTop(highest))}
      ${ticks(bars, tickText)}
    </svg>
  </div>
  <details class="more"><summary>Show as a table</summary><div class="table-box" tabindex="0" role="region" aria-label="Clicks by ${unit}"><table class="table">
    <thead><tr><th scope="col">${COLUMN_NAMES[unit]} (${unit === 'hour' ? times.zone : 'UTC'})</th>${countsOf(bars[0]).map(({ label: name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${named.map((bar) => html`<tr><th scope="row">${bar.name}</th>${countsOf(bar).map(({ count }) => html`<td>${formatNumber(count)}</td>`)}</tr>`)}</tbody>
  </table></div></details>
</figure>`;
}

/** Draws the bars. The area above each bar also reacts to the pointer. */
function columns(bars: readonly (Bar & { name: string; isRunning: boolean })[], top: number): Html[] {
  const step = 100 / bars.length;
  const width = Math.min(step * 0.76, MAX_BAR_WIDTH);
  return bars.map((bar, at) => {
    const height = bar.clicks === 0 ? 0 : Math.max(2, (bar.clicks / top) * CHART_HEIGHT);
    const x = (at + 0.5) * step - width / 2;
    const counts = countsOf(bar).map(({ count, noun }) => formatCount(count, noun));
    return html`<g class="${bar.isRunning ? 'chart-column is-running' : 'chart-column'}"><title>${bar.name}: ${counts.join(', ')}</title><rect class="chart-hit" x="${percentText(at * step)}" y="0" width="${percentText(step)}" height="${CHART_HEIGHT}"/><rect class="chart-bar" x="${percentText(x)}" y="${round(CHART_HEIGHT - height)}" width="${percentText(width)}" height="${round(height)}" rx="2"/></g>`;
  });
}

/** Draws at most `MAX_TICKS` labels below the bars, so that the labels do not overlap on a phone. */
function ticks(bars: readonly Bar[], textOf: (start: number) => string): Html[] {
  const every = Math.ceil(bars.length / MAX_TICKS);
  return bars
    .map(({ start }, at) => ({ start, at, x: ((at + 0.5) * 100) / bars.length }))
    .filter(({ at, x }) => at % every === Math.floor(every / 2) && x >= TICK_MARGIN && x <= 100 - TICK_MARGIN)
    .map(
      ({ start, x }) =>
        html`<text class="chart-text" x="${percentText(x)}" y="${CHART_HEIGHT + 17}" text-anchor="middle">${textOf(start)}</text>`,
    );
}

/** Returns a round, even number that is greater than or equal to `highest`. */
function niceTop(highest: number): number {
  if (highest <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(highest));
  return [1, 2, 4, 6, 8, 10].map((factor) => factor * power).find((top) => top >= highest) ?? highest;
}

/** Returns the counts of a bar with their labels. Omits visitors and bots in charts of a whole account. */
function countsOf(bar: Bar | undefined): { label: string; noun: string; count: number }[] {
  const counts = [
    { label: 'Clicks', noun: 'click', count: bar?.clicks },
    { label: 'Visitors', noun: 'visitor', count: bar?.visitors },
    { label: 'Bots', noun: 'bot', count: bar?.bots },
  ];
  return counts.filter((entry): entry is (typeof counts)[number] & { count: number } => entry.count !== undefined);
}

function percentText(number: number): string {
  return `${round(number)}%`;
}

function round(number: number): number {
  return Math.round(number * 100) / 100;
}
