import type { ApiKey } from '../../domain/accounts/api-keys.ts';
import type { KeyLimits } from '../../domain/limits/key-limits.ts';
import { ApiError } from '../../http/api-error.ts';
import { FIRST_ACCOUNT } from '../../store/sql/account-queries.ts';
import { type DateFormats, formatNumber, readerDateFormats } from '../components/dates-and-numbers.ts';
import { type Problems, readForm } from '../components/forms.ts';
import { type Html, html, icon } from '../components/html-elements.ts';
import { page } from '../components/layout.ts';
import { type KeyUsage, readKeyUsage } from '../remaining-quota.ts';
import type { PageContext, Pages, Services } from '../services.ts';
import { accessText, type KeyFields, keyFields, limitFields, nameField, validateKeyForm } from './key-form-fields.ts';

interface KeyView {
  usage: KeyUsage;
  fields: KeyFields;
  problems: Problems;
  standard: KeyLimits;
  times: DateFormats;
}

/** Page for one API key. On this page, users can rename or revoke the key and change its limits. */
export function addKeyDetailsPages(pages: Pages, services: Services): void {
  const { store, clock, limits } = services;

  async function ownKey(context: PageContext): Promise<ApiKey> {
    const keys = await store.keys.list(context.var.session.accountId);
    const key = keys.find(({ id }) => String(id) === context.req.param('id'));
    if (!key) throw new ApiError('not_found');
    return key;
  }

  async function activeKey(context: PageContext): Promise<ApiKey> {
    const key = await ownKey(context);
    if (key.revokedAt !== null) throw new ApiError('not_found');
    return key;
  }

  async function showKey(context: PageContext, key: ApiKey, fields: KeyFields, problems: Problems = null) {
    const usage = await readKeyUsage(services, key);
    const body = keyView({ usage, fields, problems, standard: limits, times: readerDateFormats(context) });
    return page(context, { title: key.name, section: 'keys', body, status: problems ? 400 : 200 });
  }

  pages.get('/keys/:id', async (context) => {
    const key = await activeKey(context);
    return showKey(context, key, keyFields(key));
  });
  pages.post('/keys/:id', async (context) => {
    const key = await activeKey(context);
    const isOwner = key.accountId === FIRST_ACCOUNT;
    const { fields, problems, own } = validateKeyForm(await readForm(context), limits, isOwner);
    if (problems) return showKey(context, key, fields, problems);
    await store.keys.change(key.accountId, key.id, { name: fields.name, ...own });
    return context.redirect('/keys?done=saved', 303);
  });
  pages.get('/keys/:id/revoke', async (context) => {
    const body = revokeView(await activeKey(context));
    return page(context, { title: 'Revoke API key', section: 'keys', body, isNarrow: true });
  });
  pages.post('/keys/:id/revoke', async (context) => {
    const key = await ownKey(context);
    await store.keys.revoke(key.id, clock());
    return context.redirect('/keys?done=revoked', 303);
  });
}

export function keyView({ usage: { key, limits, used }, fields, problems, standard, times }: KeyView): Html {
  return html`<nav class="crumbs" aria-label="Up"><a href="/keys">${icon('back')}API keys</a></nav>
<div class="page-head"><h1><bdi>${key.name}</bdi></h1><code class="chip page-end">…${key.lastFour}</code></div>
<dl class="facts">
  <div><dt>Links left today (UTC)</dt><dd>${formatNumber(limits.quota - used)} of ${formatNumber(limits.quota)}</dd></div>
  <div><dt>Last used</dt><dd>${key.lastUsedAt === null ? 'Never' : times.minute(key.lastUsedAt)}</dd></div>
  <div><dt>Created</dt><dd>${times.minute(key.createdAt)}</dd></div>
</dl>
<form class="card" method="post" novalidate action="/keys/${key.id}">
  <div><h2>Name and limits</h2>
  <p class="card-intro">${accessText(key)}. Permissions cannot be changed: create another API key and revoke this one.</p></div>
  ${nameField(fields.name, problems)}
  ${limitFields(fields, problems, standard)}
  <div class="actions"><button class="button is-primary" type="submit">Save</button></div>
</form>
<section class="card" aria-labelledby="revoke-title">
  <div><h2 id="revoke-title">Revoke this API key</h2><p class="card-intro">If you lost this key or someone else has it, revoke it. It stops working immediately. Its links are kept.</p></div>
  <div class="actions"><a class="button is-danger" href="/keys/${key.id}/revoke">Revoke…</a></div>
</section>`;
}

export function revokeView({ id, name, lastFour }: ApiKey): Html {
  return html`<form class="card" method="post" novalidate action="/keys/${id}/revoke">
  <div><h1>Revoke <bdi>${name}</bdi>?</h1>
  <p class="card-intro">The API key that ends in <code>${lastFour}</code> stops working immediately and cannot be restored. The links created with it are kept.</p></div>
  <div class="actions"><button class="button is-danger" type="submit">${icon('trash')}Revoke API key</button><a class="button" href="/keys/${id}">Cancel</a></div>
</form>`;
}
