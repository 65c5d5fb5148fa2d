import { TITLE_LIMIT } from '@terse/contract';
import { type Counts, type Kind, OTHER, UNTOLD } from '../../domain/clicks/counts.ts';
import type { StoredLink } from '../../store/store.ts';
import type { DateRange } from '../date-range.ts';
import type { Problems } from '../form.ts';
import { type Html, html } from '../html.ts';
import type { LinkAnalytics } from '../link-analytics.ts';
import { shortUrl } from '../parts/address.ts';
import { clicksChart } from '../parts/chart.ts';
import { copyButton } from '../parts/copy.ts';
import { dateRangePicker, daysForm, type PickedRange } from '../parts/date-range-picker.ts';
import { field } from '../parts/field.ts';
import { flashMessage } from '../parts/flash-message.ts';
import { icon } from '../parts/icon.ts';
import { minute } from '../parts/time.ts';
import { qrCode } from '../qr.ts';

interface LinkView {
  link: StoredLink;
  /** Null where the days asked for make no sense. */
  shown: { range: DateRange; analytics: LinkAnalytics } | null;
  picked: PickedRange;
  fields: { title: string; expiresAt: string };
  problems: Problems;
  isSaved: boolean;
  shortBaseUrl: string;
  now: number;
}

const TABLES: { kind: Kind; label: string; untold: string }[] = [
  { kind: 'referrers', label: 'Referrers', untold: 'None told' },
  { kind: 'browsers', label: 'Browsers', untold: 'Unknown' },
  { kind: 'systems', label: 'Systems', untold: 'Unknown' },
  { kind: 'devices', label: 'Devices', untold: 'Unknown' },
  { kind: 'countries', label: 'Countries', untold: 'Unknown' },
];

/** Names shown at once in a table; the rest is behind a click. */
const NAMES_SHOWN = 8;

export function linkView(view: LinkView): Html {
  const { link, shortBaseUrl, now } = view;
  const url = `${shortBaseUrl}/${link.code}`;
  const isExpired = link.expiresAt !== null && link.expiresAt <= now;
  return html`<nav class="crumbs" aria-label="Up"><a href="/links">${icon('back')}Links</a></nav>
<div class="page-head is-link">
  <div class="head-text">
    <h1><a class="short" href="${url}" dir="ltr" rel="noreferrer">${shortUrl(shortBaseUrl, link.code)}</a>${isExpired ? html` <span class="chip is-warning">Expired</span>` : ''}</h1>
    ${link.title ? html`<p class="head-title"><bdi>${link.title}</bdi></p>` : ''}
    <p class="head-url" dir="ltr">${link.url}</p>
    <p class="help">Made ${minute(link.createdAt)}${link.expiresAt === null ? '' : html` · ${isExpired ? 'expired' : 'expires'} ${minute(link.expiresAt)}`}</p>
  </div>
  <div class="page-end">${copyButton(url, 'Copy')}</div>
</div>
${view.isSaved ? flashMessage('The link was saved.') : ''}
${clicks(view)}
<div class="pair">
${settings(view)}
<section class="card qr-section" aria-labelledby="qr-title">
  <h2 class="qr-title" id="qr-title">QR code</h2>
  ${qrCode(url, `QR code of ${url}`)}
  <div class="actions"><a class="button" href="/links/${link.code}/qr.svg" download>${icon('down')}SVG</a><a class="button" href="/links/${link.code}/qr.png" download>${icon('down')}PNG</a></div>
</section>
</div>
<section class="card" aria-labelledby="delete-title">
  <div><h2 id="delete-title">Delete the link</h2><p class="card-intro">It then leads nowhere, and its short code is never given to anything else. You can undo that as long as you stay on the next page.</p></div>
  <form method="post" action="/links/${link.code}/delete"><button class="button is-danger" type="submit">${icon('trash')}Delete</button></form>
</section>`;
}

function clicks({ link, shown, picked }: LinkView): Html {
  const address = `/links/${link.code}`;
  const { sum } = shown?.analytics ?? {};
  return html`<section class="card" aria-labelledby="clicks-title">
  <div class="card-head"><h2 id="clicks-title">Clicks</h2>${dateRangePicker(address, picked)}</div>
  ${daysForm(address, picked)}
  ${sum ? facts(sum, link) : ''}
  ${shown ? clicksChart(shown.analytics.bars, shown.range) : ''}
</section>
${sum?.clicks && shown?.range.period === 'day' ? html`<p class="help">Names are counted by the day: these are of today and yesterday.</p>` : ''}
${sum?.clicks ? html`<div class="tables">${TABLES.map((table) => namesTable(table, shown?.analytics as LinkAnalytics))}</div>` : ''}`;
}

function facts(sum: Counts, link: StoredLink): Html {
  return html`<dl class="facts is-plain">
    <div><dt>Clicks</dt><dd>${sum.clicks.toLocaleString('en')}</dd></div>
    <div><dt>Visitors</dt><dd>${sum.visitors.toLocaleString('en')}</dd></div>
    <div><dt>Bots, apart</dt><dd>${sum.bots.toLocaleString('en')}</dd></div>
    <div><dt>Clicks ever</dt><dd>${link.clicks.toLocaleString('en')}</dd></div>
  </dl>`;
}

function settings({ link, fields, problems }: LinkView): Html {
  return html`<form class="card" method="post" action="/links/${link.code}" novalidate>
  <h2>Title and expiry</h2>
  ${field({ name: 'title', label: 'Title', value: fields.title, autocomplete: 'off', maxlength: TITLE_LIMIT }, problems)}
  ${field({ name: 'expiresAt', label: 'Expires (UTC)', type: 'datetime-local', value: fields.expiresAt, help: 'Left empty, it never does.' }, problems)}
  <div class="actions"><button class="button is-primary" type="submit">Save</button></div>
</form>`;
}

/** Names come from visitors, so they are text and nothing else. */
function namesTable({ kind, label, untold }: (typeof TABLES)[number], { names }: LinkAnalytics): Html {
  const known = names[kind];
  const most = known[0]?.[1] ?? 1;
  const rows = known.map(
    ([name, clicks]) =>
      html`<tr><th scope="row"><span class="line"><bdi>${nameOf(name, untold)}</bdi></span><meter class="share" min="0" max="${most}" value="${clicks}" aria-hidden="true"></meter></th><td>${clicks.toLocaleString('en')}</td></tr>`,
  );
  const head = html`<thead><tr><th scope="col">${label}</th><th scope="col">Clicks</th></tr></thead>`;
  const rest = rows.slice(NAMES_SHOWN);
  return html`<section class="card names" aria-label="${label}">
  <table class="table is-names">${head}<tbody>${rows.slice(0, NAMES_SHOWN)}</tbody></table>
  ${rest.length > 0 ? html`<details class="more"><summary>${rest.length} more</summary><table class="table is-names"><thead class="visually-hidden"><tr><th scope="col">${label}</th><th scope="col">Clicks</th></tr></thead><tbody>${rest}</tbody></table></details>` : ''}
</section>`;
}

function nameOf(name: string, untold: string): string {
  if (name === UNTOLD) return untold;
  return name === OTHER ? 'Other' : name;
}
