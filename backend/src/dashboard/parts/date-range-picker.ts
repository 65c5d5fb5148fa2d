import { type AskedDays, PERIODS, type Period } from '../date-range.ts';
import type { Problems } from '../form.ts';
import { type Html, html } from '../html.ts';
import { field } from './field.ts';

export interface PickedRange {
  /** Null where days are chosen one by one. */
  period: Period | null;
  /** What the fields hold, and what the page shows just now. */
  days: AskedDays;
  problems: Problems;
}

/** The spans of time to choose from; the last one leads to fields for days, so that it works without script. */
export function dateRangePicker(address: string, { period: current, days }: PickedRange): Html {
  const item = (query: string, label: string, isCurrent: boolean) =>
    html`<li><a class="period" href="${address}?${query}" ${isCurrent ? html`aria-current="true"` : ''}>${label}</a></li>`;
  const periods = Object.entries(PERIODS).map(([period, { label }]) =>
    item(`period=${period}`, label, period === current),
  );
  const chosen = new URLSearchParams({ ...days });
  return html`<nav class="periods" aria-label="Period"><ul>${periods}${item(String(chosen), 'Pick days', current === null)}</ul></nav>`;
}

/** The fields for the first and the last day; nothing where a period is shown. */
export function daysForm(address: string, { period, days, problems }: PickedRange): Html | '' {
  if (period !== null) return '';
  return html`<form class="inline-form days-form" method="get" action="${address}" novalidate>
  ${field({ name: 'from', label: 'First day (UTC)', type: 'date', value: days.from, required: true }, problems)}
  ${field({ name: 'to', label: 'Last day (UTC)', type: 'date', value: days.to, required: true }, problems)}
  <button class="button" type="submit">Show</button>
</form>`;
}
