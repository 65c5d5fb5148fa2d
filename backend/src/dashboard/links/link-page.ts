import { readableUrl } from '@terse/contract';
import type { PageContext, Pages, Services } from '../../api/services.ts';
import { isStoredCode, shortUrlOf, splitStoredCode } from '../../domain/links/short-codes.ts';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import { validateEditedLink } from '../../domain/links/validate-link-form.ts';
import { ApiError } from '../../http/api-error.ts';
import { type DateFormats, dateFormatsFor, readerDateFormats } from '../components/dates-and-numbers.ts';
import { readForm } from '../components/forms.ts';
import {
  copyButton,
  deleteItem,
  flashMessage,
  type Html,
  html,
  icon,
  linkAddress,
  menu,
  panel,
  shortUrl,
} from '../components/html-elements.ts';
import { page } from '../components/layout.ts';
import { qrSvg } from '../components/qr-code.ts';
import { clicksView, rangeOf, readLinkClicks } from './link-clicks.ts';
import {
  addressFields,
  fieldsOf,
  type LinkForm,
  optionFields,
  parseLinkFields,
  readLinkFields,
  refusedForm,
  tagList,
} from './link-form.ts';

/** Adds the page that shows a link, its clicks and its QR code. Users can edit or delete the link there. */
export function addLinkPages(pages: Pages, services: Services): void {
  const { store, clock, targets, shortBaseUrls, forgetLink } = services;

  async function ownLink(context: PageContext): Promise<StoredLink> {
    const code = codeInAddress(context);
    const link = code ? await store.links.find(context.var.session.accountId, code) : null;
    if (link?.deletedAt !== null) throw new ApiError('not_found');
    return link;
  }

  async function show(context: PageContext, link: StoredLink, times: DateFormats, refused?: LinkForm) {
    const form = refused ?? { fields: fieldsOf(link, times), problems: null };
    const clicks = await readLinkClicks(store, link.id, rangeOf(context.req.query('period'), clock()));
    const url = shortUrlOf(link.code, shortBaseUrls);
    const body = html`<nav class="crumbs" aria-label="Up"><a href="/links">${icon('back')}Links</a></nav>
${linkHead(link, services, times)}
${context.req.query('done') === 'saved' ? flashMessage('The link was saved.') : ''}
${clicksView(link, clicks, times)}
${panel({ id: 'edit', title: 'Edit link', content: editForm(link, form, times, services) })}
${panel({ id: 'qr', title: 'QR code', content: qrView(linkAddress(link.code), url) })}`;
    const status = refused ? 400 : 200;
    return page(context, { title: link.title ?? splitStoredCode(link.code).code, section: 'links', body, status });
  }

  pages.get('/links/:code', async (context) => show(context, await ownLink(context), readerDateFormats(context)));

  pages.post('/links/:code', async (context) => {
    const link = await ownLink(context);
    const form = await readForm(context);
    const times = dateFormatsFor(form.text('zone'));
    const fields = readLinkFields(form);
    const input = parseLinkFields(fields, times);
    // The form shows the expiry time without seconds. If the user did not change this time, the exact stored time is
    // kept.
    if (fields.expiresAt === times.fieldValue(link.expiresAt)) input.expiresAt = link.expiresAt;
    const result = validateEditedLink(input, link, targets, clock());
    if ('problems' in result) return show(context, link, times, refusedForm(fields, result.problems));
    // Another request may have deleted the link in the meantime.
    if (!(await store.links.edit(link.accountId, link.code, result.edit))) throw new ApiError('not_found');
    forgetLink(link.code);
    return context.redirect(`${linkAddress(link.code)}?done=saved`, 303);
  });

  pages.get('/links/:code/qr.svg', async (context) => {
    const { code } = await ownLink(context);
    const name = `qr-${splitStoredCode(code).code.replace(/[^\w-]+/g, '-')}.svg`;
    return context.body(qrSvg(shortUrlOf(code, shortBaseUrls)), 200, {
      'Content-Type': 'image/svg+xml; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}"`,
    });
  });
}

function linkHead(link: StoredLink, { shortBaseUrls, clock }: Services, times: DateFormats): Html {
  const { code, title, expiresAt } = link;
  const url = shortUrlOf(code, shortBaseUrls);
  const isExpired = expiresAt !== null && expiresAt <= clock();
  const expiry = expiresAt === null ? '' : html` · ${isExpired ? 'expired' : 'expires'} ${times.minute(expiresAt)}`;
  return html`<div class="page-head is-link">
  <div class="head-text">
    <h1>${title ? html`<bdi>${title}</bdi>` : html`<span dir="ltr">${splitStoredCode(code).code}</span>`}${isExpired ? html` <span class="chip is-warning">Expired</span>` : ''}</h1>
    <p><a class="short" href="${url}" dir="ltr" rel="noreferrer">${shortUrl(shortBaseUrls, code)}</a></p>
    <p class="head-url" dir="ltr">${readableUrl(link.url)}</p>
    <p class="help">Created ${times.minute(link.createdAt)}${expiry}</p>
    ${tagList(link.tags)}
  </div>
  <div class="page-end actions">
    ${copyButton(readableUrl(url), 'Copy', 'button is-primary')}
    <a class="button" href="#edit" data-opens="edit">${icon('edit')}Edit</a>
    <a class="button" href="#qr" data-opens="qr">${icon('qr')}QR code</a>
    ${menu('More actions', icon('more'), [deleteItem(code)])}
  </div>
</div>`;
}

function editForm(link: StoredLink, form: LinkForm, times: DateFormats, services: Services): Html {
  return html`<form class="panel-form" method="post" action="${linkAddress(link.code)}" novalidate>
  <div class="panel-body">
  ${addressFields(form)}
  ${optionFields(form, times, services)}
  </div>
  <div class="panel-foot"><button class="button is-primary is-wide" type="submit">Save</button><button class="button" type="button" data-close hidden>Cancel</button></div>
</form>`;
}

function qrView(address: string, url: string): Html {
  return html`<div class="panel-body qr-body"><img class="qr" src="${address}/qr.svg" alt="QR code of ${readableUrl(url)}" loading="lazy"></div>
  <div class="panel-foot"><a class="button" href="${address}/qr.svg" download>${icon('down')}Download as SVG</a></div>`;
}

/**
 * Reads the code of a link from the request path, in the form in which the database stores it. Returns null if the
 * code is invalid.
 */
function codeInAddress(context: PageContext): string | null {
  const code = (context.req.param('code') ?? '').replace(/^\//, '');
  return isStoredCode(code) ? code : null;
}
