import { type Html, html } from '../html.ts';

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const MINUTE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** A day. A script, where scripts run, shows it in the reader's own time zone. */
export function day(instant: number): Html {
  return html`<time datetime="${new Date(instant).toISOString()}" data-show="day">${DAY.format(instant)}</time>`;
}

/** A day and a minute. */
export function minute(instant: number): Html {
  const text = `${MINUTE.format(instant)} UTC`;
  return html`<time datetime="${new Date(instant).toISOString()}" data-show="minute">${text}</time>`;
}

/** What a `datetime-local` field holds for an instant, in UTC. */
export function fieldTime(instant: number | null): string {
  return instant === null ? '' : new Date(instant).toISOString().slice(0, 16);
}

/** Reads such a field, in UTC; null where it is empty. */
export function readTime(text: string): number | 'invalid' | null {
  if (text.trim() === '') return null;
  const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  return Number.isNaN(instant) ? 'invalid' : instant;
}
