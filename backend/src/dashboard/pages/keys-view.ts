import { KEY_NAME_LIMIT } from '../../domain/keys.ts';
import type { KeyLimits } from '../../domain/limits.ts';
import type { ApiKey } from '../../store/store.ts';
import type { Problems } from '../form.ts';
import { type Html, html } from '../html.ts';
import { copyButton } from '../parts/copy.ts';
import { field } from '../parts/field.ts';
import { flashMessage } from '../parts/flash-message.ts';
import { icon } from '../parts/icon.ts';
import { day, minute } from '../parts/time.ts';
import { qrCode } from '../qr.ts';

/** What the form of a key holds, as text. */
export interface KeyFields {
  name: string;
  quota: string;
  throttle: string;
}

/** A key, the limits that hold for it, and how many of today's requests it has used. */
export interface KeyUse {
  key: ApiKey;
  limits: KeyLimits;
  used: number;
}

interface KeyList {
  uses: KeyUse[];
  revoked: ApiKey[];
  fields: KeyFields;
  problems: Problems;
  standard: KeyLimits;
  flash: string | null;
}

export function keyListView({ uses, revoked, fields, problems, standard, flash }: KeyList): Html {
  return html`<div class="page-head"><h1>Keys</h1></div>
${flash ? flashMessage(flash) : ''}
${uses.length > 0 ? html`<ul class="rows card is-flush">${uses.map(keyRow)}</ul>` : firstKey()}
<form class="card" method="post" novalidate action="/keys">
  <div><h2>${uses.length > 0 ? 'Make another key' : 'Make your first key'}</h2>
  <p class="card-intro">One for each browser or program, so that each can be revoked alone.</p></div>
  ${keyFields(fields, problems, standard, problems !== null && !problems.name)}
  <div class="actions"><button class="button is-primary" type="submit">${icon('plus')}Make the key</button></div>
</form>
${revoked.length > 0 ? revokedKeys(revoked) : ''}`;
}

function firstKey(): Html {
  return html`<section class="empty">${icon('key')}<h2 class="empty-title">No keys yet</h2>
  <p>The Terse extension, or any program, needs a key to make links for you.</p></section>`;
}

function keyRow({ key, limits, used }: KeyUse): Html {
  const label = `${used.toLocaleString('en')} of ${limits.quota.toLocaleString('en')} used today`;
  return html`<li class="row">
  <div class="row-text">
    <p class="row-title"><a href="/keys/${key.id}"><bdi>${key.name}</bdi></a> <code class="chip">…${key.lastFour}</code></p>
    <p class="row-note">${key.lastUsedAt === null ? 'Never used' : html`Last used ${minute(key.lastUsedAt)}`} · made ${day(key.createdAt)}</p>
  </div>
  <div class="use"><meter min="0" max="${limits.quota}" value="${used}" aria-label="${label}"></meter><span>${label}</span></div>
  <a class="button" href="/keys/${key.id}" aria-label="Change ${key.name}">Change</a>
</li>`;
}

function revokedKeys(keys: ApiKey[]): Html {
  const rows = keys.map(
    ({ name, lastFour, revokedAt }) => html`<li class="row"><div class="row-text">
    <p class="row-title"><bdi>${name}</bdi> <code class="chip">…${lastFour}</code></p>
    <p class="row-note">Revoked ${day(revokedAt ?? 0)}</p></div></li>`,
  );
  return html`<details class="card is-flush"><summary class="flush-head">Revoked keys <span class="count">${keys.length}</span></summary><ul class="rows">${rows}</ul></details>`;
}

function keyFields(fields: KeyFields, problems: Problems, standard: KeyLimits, isOpen: boolean): Html {
  const limits = html`
  ${field({ name: 'quota', label: 'Requests a day', value: fields.quota, placeholder: String(standard.quota), autocomplete: 'off' }, problems)}
  ${field({ name: 'throttle', label: 'Requests a second', value: fields.throttle, placeholder: String(standard.throttle), autocomplete: 'off' }, problems)}`;
  const name = { name: 'name', label: 'Name', value: fields.name, placeholder: 'Laptop', maxlength: KEY_NAME_LIMIT };
  return html`${field({ ...name, required: true, autocomplete: 'off' }, problems)}
  <details class="more" ${isOpen ? html`open` : ''}><summary>Limits of its own</summary>
  <div class="fields"><p class="help">Left empty, the service’s limits hold: ${standard.quota} a day, ${standard.throttle} a second.</p>${limits}</div></details>`;
}

/** The one page that shows a key. */
export function madeView(name: string, key: string, connectionLink: string): Html {
  return html`<div class="page-head"><h1>Your new key</h1></div>
<section class="card" aria-labelledby="connect-title">
  <div><h2 id="connect-title">Connect the extension</h2>
  <p class="card-intro">Paste this connection link into the extension’s options, or scan it on a phone whose browser has the extension. It holds the key <bdi>${name}</bdi>, which is shown <strong>only now</strong>.</p></div>
  <div class="secret-pair">
    <div class="secret"><p class="secret-text"><code>${connectionLink}</code></p><div class="actions">${copyButton(connectionLink, 'Copy the connection link')}</div></div>
    ${qrCode(connectionLink, 'QR code of the connection link')}
  </div>
</section>
<section class="card" aria-labelledby="key-title">
  <div><h2 id="key-title">For a program</h2><p class="card-intro">The key alone, to be sent as <code>Authorization: Bearer</code> or <code>X-API-Key</code>.</p></div>
  <div class="secret"><p class="secret-text"><code>${key}</code></p><div class="actions">${copyButton(key, 'Copy the key')}</div></div>
</section>
<div class="actions"><a class="button is-primary" href="/keys">I have kept it</a></div>`;
}

interface KeyEdit {
  use: KeyUse;
  fields: KeyFields;
  problems: Problems;
  standard: KeyLimits;
}

export function keyView({ use: { key, limits, used }, fields, problems, standard }: KeyEdit): Html {
  const hasOwn = key.quota !== null || key.throttle !== null || problems !== null;
  return html`<nav class="crumbs" aria-label="Up"><a href="/keys">${icon('back')}Keys</a></nav>
<div class="page-head"><h1><bdi>${key.name}</bdi></h1><code class="chip page-end">…${key.lastFour}</code></div>
<dl class="facts">
  <div><dt>Used today</dt><dd>${used.toLocaleString('en')} of ${limits.quota.toLocaleString('en')}</dd></div>
  <div><dt>Last used</dt><dd>${key.lastUsedAt === null ? 'Never' : minute(key.lastUsedAt)}</dd></div>
  <div><dt>Made</dt><dd>${minute(key.createdAt)}</dd></div>
</dl>
<form class="card" method="post" novalidate action="/keys/${key.id}">
  <h2>Name and limits</h2>
  ${keyFields(fields, problems, standard, hasOwn)}
  <div class="actions"><button class="button is-primary" type="submit">Save</button></div>
</form>
<section class="card" aria-labelledby="revoke-title">
  <div><h2 id="revoke-title">Revoke the key</h2><p class="card-intro">Lost it, or it is in the wrong hands? A revoked key opens nothing any more. Its links stay.</p></div>
  <div class="actions"><a class="button is-danger" href="/keys/${key.id}/revoke">Revoke…</a></div>
</section>`;
}

export function revokeView({ id, name, lastFour }: ApiKey): Html {
  return html`<form class="card" method="post" novalidate action="/keys/${id}/revoke">
  <div><h1>Revoke <bdi>${name}</bdi>?</h1>
  <p class="card-intro">The key that ends in <code>${lastFour}</code> stops working at once, for ever. Links made with it stay as they are.</p></div>
  <div class="actions"><button class="button is-danger" type="submit">${icon('trash')}Revoke it</button><a class="button" href="/keys/${id}">Keep it</a></div>
</form>`;
}
