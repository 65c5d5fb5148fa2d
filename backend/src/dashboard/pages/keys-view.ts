import type { KeyAccess } from '../../domain/keys.ts';
import type { KeyLimits } from '../../domain/limits.ts';
import type { ApiKey } from '../../store/store.ts';
import type { Problems } from '../form.ts';
import { type Html, html } from '../html.ts';
import { accessText, type KeyFields } from '../key-form.ts';
import type { KeyUse } from '../key-use.ts';
import { copyButton } from '../parts/copy.ts';
import { flashMessage } from '../parts/flash-message.ts';
import { icon } from '../parts/icon.ts';
import { accessFields, limitFields, nameField } from '../parts/key-fields.ts';
import { qrCode } from '../qr.ts';
import type { Times } from '../times.ts';
import { figure } from '../words.ts';

interface KeyList {
  uses: KeyUse[];
  revoked: ApiKey[];
  fields: KeyFields;
  access: KeyAccess;
  problems: Problems;
  standard: KeyLimits;
  flash: string | null;
  times: Times;
}

export function keyListView(view: KeyList): Html {
  const { uses, revoked, fields, access, problems, standard, flash, times } = view;
  return html`<div class="page-head"><h1>Keys</h1></div>
${flash ? flashMessage(flash) : ''}
${uses.length > 0 ? html`<ul class="rows card is-flush">${uses.map((use) => keyRow(use, times))}</ul>` : noKeys()}
<form class="card" method="post" novalidate action="/keys">
  <div><h2>${uses.length > 0 ? 'Create another key' : 'Create your first key'}</h2>
  <p class="card-intro">Use a separate key for each browser or program, so that you can revoke one without the others.</p></div>
  ${nameField(fields.name, problems)}
  ${accessFields(access, problems)}
  ${limitFields(fields, problems, standard)}
  <div class="actions"><button class="button is-primary" type="submit">${icon('plus')}Create key</button></div>
</form>
${revoked.length > 0 ? revokedKeys(revoked, times) : ''}`;
}

function noKeys(): Html {
  return html`<section class="empty">${icon('key')}<h2 class="empty-title">No keys yet</h2>
  <p>The Terse extension needs a key to create links for you. So does any other program.</p></section>`;
}

function keyRow({ key, limits, used }: KeyUse, times: Times): Html {
  const label = `${figure(used)} of ${figure(limits.quota)} used today`;
  return html`<li class="row">
  <div class="row-text">
    <p class="row-title"><a href="/keys/${key.id}"><bdi>${key.name}</bdi></a> <code class="chip">…${key.lastFour}</code></p>
    <p class="row-note">${key.lastUsedAt === null ? 'Never used' : html`Last used ${times.minute(key.lastUsedAt)}`} · ${accessText(key)}</p>
  </div>
  <div class="use"><meter min="0" max="${limits.quota}" value="${used}" aria-label="${label}"></meter><span>${label}</span></div>
  <a class="button" href="/keys/${key.id}" aria-label="Edit ${key.name}">Edit</a>
</li>`;
}

function revokedKeys(keys: ApiKey[], times: Times): Html {
  const rows = keys.map(
    ({ name, lastFour, revokedAt }) => html`<li class="row"><div class="row-text">
    <p class="row-title"><bdi>${name}</bdi> <code class="chip">…${lastFour}</code></p>
    <p class="row-note">Revoked ${times.minute(revokedAt ?? 0)}</p></div></li>`,
  );
  return html`<details class="card is-flush"><summary class="flush-head">Revoked keys <span class="count">${keys.length}</span></summary><ul class="rows">${rows}</ul></details>`;
}

/** The one page that shows a key. */
export function newKeyView(key: ApiKey, text: string, connectionLink: string): Html {
  return html`<div class="page-head"><h1>Your new key</h1></div>
<section class="card" aria-labelledby="connect-title">
  <div><h2 id="connect-title">Connect the extension</h2>
  <p class="card-intro">Paste this connection link into the extension’s options. On a phone whose browser has the extension, scan the code. The link contains the key <bdi>${key.name}</bdi>, which is shown <strong>only this once</strong>.</p></div>
  <div class="secret-pair">
    <div class="secret"><p class="secret-text"><code>${connectionLink}</code></p><div class="actions">${copyButton(connectionLink, 'Copy the connection link')}</div></div>
    ${qrCode(connectionLink, 'QR code of the connection link')}
  </div>
  <p class="help">${accessText(key)}.</p>
</section>
<section class="card" aria-labelledby="key-title">
  <div><h2 id="key-title">Use it in a program</h2><p class="card-intro">Send the key as <code>Authorization: Bearer</code> or as <code>X-API-Key</code>.</p></div>
  <div class="secret"><p class="secret-text"><code>${text}</code></p><div class="actions">${copyButton(text, 'Copy the key')}</div></div>
</section>
<div class="actions"><a class="button is-primary" href="/keys">I have saved it</a></div>`;
}
