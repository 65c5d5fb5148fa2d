import { type AskedDays, PERIODS, type Period } from '../date-range.ts';
import type { Problems } from '../form.ts';
import { type Html, html } from '../html.ts';
import { field } from './field.ts';

export interface PickedRange {
  /** Null where the first and last day are chosen. */
  period: Period | null;
  /** What the page shows, and the fields hold. */
  days: AskedDays;
  problems: Problems;
}

/** Links to the periods to choose from. The last one leads to a page with fields for days, and so needs no script. */
export function dateRangePicker(address: string, { period: current, days }: PickedRange): Html {
  const item = (query: string, label: string, isCurrent: boolean) =>
    html`<li><a class="period" href="${address}?${query}" ${isCurrent ? html`aria-current="true"` : ''}>${label}</a></li>`;
  const periods = Object.entries(PERIODS).map(([period, { label }]) =>
    item(`period=${period}`, label, period === current),
  );
  const chosen = new URLSearchParams({ ...days });
  return html`<nav class="periods" aria-label="Period"><ul>${periods}${item(String(chosen), 'Choose days', current === null)}</ul></nav>`;
}

/** The fields for the first and last day; nothing where a period is shown. */
export function daysForm(address: string, { period, days, problems }: PickedRange): Html | '' {
  if (period !== null) return '';
  return html`<form class="inline-form days-form" method="get" action="${address}" novalidate>
  ${field({ name: 'from', label: 'First day (UTC)', type: 'date', value: days.from, required: true }, problems)}
  ${field({ name: 'to', label: 'Last day (UTC)', type: 'date', value: days.to, required: true }, problems)}
  <button class="button" type="submit">Show</button>
</form>`;
}
