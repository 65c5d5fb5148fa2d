import { readableUrl } from '@terse/contract';
import { type ShortBaseUrls, shortUrlOf, splitStoredCode } from '../../domain/links/short-domains.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import { clickChart, type LinkAnalytics } from '../components/click-chart.ts';
import { type DateRange, dateRangePicker, daysForm, formatDays, type PickedRange } from '../components/date-range.ts';
import { type DateFormats, formatCount, formatNumber } from '../components/dates-and-numbers.ts';
import type { Problems } from '../components/forms.ts';
import {
  copyButton,
  deleteItem,
  flashMessage,
  type Html,
  html,
  icon,
  menu,
  shortUrl,
} from '../components/html-elements.ts';
import { panel } from '../components/panel.ts';
import { qrCode } from '../components/qr-code.ts';
import { type EditFields, editForm } from './edit-link-form.ts';
import { linkAddress } from './link-list-address.ts';
import { namesTables } from './referrer-and-country-tables.ts';
import { tagList } from './tag-and-query-fields.ts';

interface LinkView {
  link: StoredLink;
  /** Null if the user entered an invalid day. */
  clicks: { range: DateRange; analytics: LinkAnalytics } | null;
  picked: PickedRange;
  fields: EditFields;
  problems: Problems;
  isSaved: boolean;
  shortBaseUrls: ShortBaseUrls;
  forwardQuery: boolean;
  now: number;
  times: DateFormats;
}

export function linkDetailsView(view: LinkView): Html {
  const { link, clicks, shortBaseUrls } = view;
  const url = shortUrlOf(link.code, shortBaseUrls);
  const address = linkAddress(link.code);
  const qrContent = html`<div class="panel-body qr-body">${qrCode(url, `QR code of ${readableUrl(url)}`)}</div>
  <div class="panel-foot"><a class="button" href="${address}/qr.svg" download>${icon('down')}SVG</a><a class="button" href="${address}/qr.png" download>${icon('down')}PNG</a></div>`;
  return html`<nav class="crumbs" aria-label="Up"><a href="/links">${icon('back')}Links</a></nav>
${linkHead(view, url)}
${view.isSaved ? flashMessage('The link was saved.') : ''}
${clicksCard(view)}
${clicks?.analytics.sum.clicks ? namesTables(clicks.analytics.names, clicks.range.period === 'day') : ''}
${panel({ id: 'edit', title: 'Edit link', content: editForm(link, view) })}
${panel({ id: 'qr', title: 'QR code', content: qrContent })}`;
}

function linkHead({ link, shortBaseUrls, now, times }: LinkView, url: string): Html {
  const isExpired = link.expiresAt !== null && link.expiresAt <= now;
  const expiry =
    link.expiresAt === null ? '' : html` · ${isExpired ? 'expired' : 'expires'} ${times.minute(link.expiresAt)}`;
  return html`<div class="page-head is-link">
  <div class="head-text">
    <h1>${link.title ? html`<bdi>${link.title}</bdi>` : html`<span dir="ltr">${splitStoredCode(link.code).code}</span>`}${isExpired ? html` <span class="chip is-warning">Expired</span>` : ''}</h1>
    <p><a class="short" href="${url}" dir="ltr" rel="noreferrer">${shortUrl(shortBaseUrls, link.code)}</a></p>
    <p class="head-url" dir="ltr">${readableUrl(link.url)}</p>
    <p class="help">Created ${times.minute(link.createdAt)}${expiry}</p>
    ${tagList(link.tags)}
  </div>
  <div class="page-end actions">
    ${copyButton(readableUrl(url), 'Copy', 'button is-primary')}
    <a class="button" href="#edit" data-opens="edit">${icon('edit')}Edit</a>
    <a class="button" href="#qr" data-opens="qr">${icon('qr')}QR code</a>
    ${menu('More actions', icon('more'), [deleteItem(linkAddress(link.code))])}
  </div>
</div>`;
}

function clicksCard({ link, clicks, picked, now, times }: LinkView): Html {
  const address = linkAddress(link.code);
  const { unit, days } = clicks?.analytics ?? {};
  const label = unit === 'month' && days ? formatDays(days) : (clicks?.range.label ?? '');
  return html`<section class="card" aria-label="Clicks">
  <div class="card-head">${clicks ? figures(link, clicks, label) : html`<h2>Clicks</h2>`}${dateRangePicker(address, picked)}</div>
  ${daysForm(address, picked)}
  ${clicks ? clickChart(clicks.analytics.bars, { unit: clicks.analytics.unit, label, now, times }) : ''}
  ${unit === 'month' ? html`<p class="help">Older clicks are stored per month, so this range shows whole months: ${label} (UTC).</p>` : ''}
</section>`;
}

/**
 * Draws the number of clicks, visitors and bots in the date range, and the number of all clicks since the link was
 * created.
 */
function figures(
  link: StoredLink,
  { range, analytics: { sum, unit } }: NonNullable<LinkView['clicks']>,
  label: string,
) {
  const period = range.period === null || unit === 'month' ? `, ${label}` : ` in ${label}`;
  const imported = link.importedClicks === 0 ? '' : `, and ${formatNumber(link.importedClicks)} imported`;
  return html`<div><h2 class="big-figure"><strong>${formatNumber(sum.clicks)}</strong> ${sum.clicks === 1 ? 'click' : 'clicks'}${period}</h2>
  <p class="soft">${formatCount(sum.visitors, 'visitor')}. ${formatCount(sum.bots, 'bot')}, not counted. ${formatCount(link.clicks, 'click')} in total${imported}.</p></div>`;
}
