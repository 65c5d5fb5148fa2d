import type { Kind } from '../../domain/analytics/day-counts.ts';
import type { Analysis } from '../../domain/analytics/time-series.ts';
import { OTHER, UNKNOWN } from '../../domain/analytics/top-values.ts';
import { formatNumber } from '../components/dates-and-numbers.ts';
import { type Html, html } from '../components/html-elements.ts';

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

/**
 * Draws the tables of referrers, countries and other properties.
 *
 * @param coverTwoDays true for a period of 24 hours; the tables then cover two days, because names are stored per UTC
 * day
 */
export function namesTables(names: Analysis['names'], coverTwoDays: boolean): Html {
  return html`${coverTwoDays ? html`<p class="help">The tables below cover today and yesterday (UTC), because their data is stored per day.</p>` : ''}
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

const REGIONS = new Intl.DisplayNames('en', { type: 'region' });

/** Returns the name of a country. A code that is not a country, such as "T1" for Tor, is returned unchanged. */
function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (REGIONS.of(code) ?? code) : code;
}
