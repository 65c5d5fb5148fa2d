import type { DateRange, Unit } from '../date-range.ts';
import { type Html, html } from '../html.ts';
import type { Bar } from '../link-analytics.ts';
import type { Times } from '../times.ts';
import { count } from '../words.ts';

/** The chart's own units; the page scales it. */
const WIDTH = 720;
const HEIGHT = 200;
const AXIS = 24;
/** Where the bars begin, so that the scale stands beside them. */
const GUTTER = 52;
/** A few bars are not drawn wider than this: one alone would be a wall. */
const WIDEST = 72;
/** Half of the widest word under a bar, as it is on a phone. */
const HALF_WORD = 36;

/** Clicks over time as bars and as a table. Works without script; with it, pointing at a bar shows its figures. */
export function clicksChart(
  bars: readonly Bar[],
  { unit, label }: Pick<DateRange, 'unit' | 'label'>,
  times: Times,
): Html {
  const most = niceTop(Math.max(...bars.map(({ clicks }) => clicks)));
  const step = (WIDTH - GUTTER) / bars.length;
  const total = bars.reduce((sum, { clicks }) => sum + clicks, 0);
  const drawn = bars.map((bar, at) => {
    const { start, clicks } = bar;
    const height = clicks === 0 ? 0 : Math.max(2, (clicks / most) * HEIGHT);
    const width = Math.min(step * 0.76, WIDEST);
    const x = GUTTER + (at + 0.5) * step - width / 2;
    return html`<g class="chart-column"><title>${name(start, unit, times)}: ${figures(bar)}</title><rect class="chart-hit" x="${round(GUTTER + at * step)}" y="0" width="${round(step)}" height="${HEIGHT}"/><rect class="chart-bar" x="${round(x)}" y="${round(HEIGHT - height)}" width="${round(width)}" height="${round(height)}" rx="${round(Math.min(3, width / 3))}"/></g>`;
  });
  return html`<figure class="chart">
  <div class="chart-plot" data-label="Clicks by ${unit}"><svg viewBox="0 -12 ${WIDTH} ${HEIGHT + AXIS + 12}" role="img" aria-labelledby="chart-title chart-desc">
    <title id="chart-title">Clicks by ${unit}, ${label}</title>
    <desc id="chart-desc">${count(total, 'click')} in all, and at most ${Math.max(...bars.map(({ clicks }) => clicks)).toLocaleString('en')} in one ${unit}. The table below has every figure.</desc>
    ${[1, 0.5].map((part) => gridLine(most * part, HEIGHT * (1 - part)))}
    <line class="chart-base" x1="${GUTTER}" x2="${WIDTH}" y1="${HEIGHT}" y2="${HEIGHT}"/>
    ${drawn}
    ${ticks(bars, unit, step, times)}
  </svg></div>
  <details class="more"><summary>Show as a table</summary><div class="table-box" tabindex="0" role="region" aria-label="Clicks by ${unit}"><table class="table">
    <thead><tr><th scope="col">${COLUMN_NAMES[unit]} (${unit === 'hour' ? times.zone : 'UTC'})</th><th scope="col">Clicks</th><th scope="col">Visitors</th><th scope="col">Bots</th></tr></thead>
    <tbody>${bars.map((bar) => html`<tr><th scope="row">${name(bar.start, unit, times)}</th><td>${bar.clicks.toLocaleString('en')}</td><td>${bar.visitors.toLocaleString('en')}</td><td>${bar.bots.toLocaleString('en')}</td></tr>`)}</tbody>
  </table></div></details>
</figure>`;
}

function gridLine(value: number, y: number): Html | '' {
  if (!Number.isInteger(value)) return '';
  return html`<line class="chart-grid" x1="${GUTTER}" x2="${WIDTH}" y1="${y}" y2="${y}"/><text class="chart-text" x="0" y="${y + 4}">${COMPACT.format(value)}</text>`;
}

/** A few words under the bars, far enough apart to be read on a phone. */
function ticks(bars: readonly Bar[], unit: Unit, step: number, times: Times): Html[] {
  const every = Math.ceil(bars.length / 6);
  return bars
    .map(({ start }, at) => ({ start, at }))
    .filter(({ at }) => (bars.length - 1 - at) % every === 0)
    .map(({ start, at }) => {
      const anchor = at === bars.length - 1 && step / 2 < HALF_WORD ? 'end' : 'middle';
      const x = anchor === 'end' ? WIDTH : GUTTER + (at + 0.5) * step;
      return html`<text class="chart-text" x="${round(x)}" y="${HEIGHT + 17}" text-anchor="${anchor}">${unit === 'hour' ? times.hourText(start) : DAY.format(start)}</text>`;
    });
}

/** A round number no less than the highest bar, and even where that is possible, so that its half is a line too. */
function niceTop(most: number): number {
  if (most <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 4, 6, 8, 10].map((times) => times * power).find((top) => top >= most) ?? most;
}

/** Ten thousand is 10K, so that the scale fits beside the bars. */
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact' });

/** Clicks are counted by UTC days, so days and weeks are in UTC whatever the reader's zone. */
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const LONG_DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

const COLUMN_NAMES: Record<Unit, string> = { hour: 'Hour from', day: 'Day', week: 'Week from' };

/** What a bar stands for: "1 Jul 2026", "Week of 1 Jul 2026" or "1 Jul 2026, 17:30 GMT+5:30". */
function name(start: number, unit: Unit, times: Times): string {
  if (unit === 'hour') return times.minuteText(start);
  return unit === 'week' ? `Week of ${LONG_DAY.format(start)}` : LONG_DAY.format(start);
}

function figures({ clicks, visitors, bots }: Bar): string {
  return [count(clicks, 'click'), count(visitors, 'visitor'), count(bots, 'bot')].join(', ');
}

function round(number: number): number {
  return Math.round(number * 100) / 100;
}
