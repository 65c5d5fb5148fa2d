import type { KeyLimits } from '../../domain/limits.ts';
import type { ApiKey } from '../../store/store.ts';
import type { Problems } from '../form.ts';
import { type Html, html } from '../html.ts';
import { accessText, type KeyFields } from '../key-form.ts';
import type { KeyUse } from '../key-use.ts';
import { icon } from '../parts/icon.ts';
import { limitFields, nameField } from '../parts/key-fields.ts';
import type { Times } from '../times.ts';
import { figure } from '../words.ts';

interface KeyView {
  use: KeyUse;
  fields: KeyFields;
  problems: Problems;
  standard: KeyLimits;
  times: Times;
}

export function keyView({ use: { key, limits, used }, fields, problems, standard, times }: KeyView): Html {
  return html`<nav class="crumbs" aria-label="Up"><a href="/keys">${icon('back')}Keys</a></nav>
<div class="page-head"><h1><bdi>${key.name}</bdi></h1><code class="chip page-end">…${key.lastFour}</code></div>
<dl class="facts">
  <div><dt>Used today (UTC)</dt><dd>${figure(used)} of ${figure(limits.quota)}</dd></div>
  <div><dt>Last used</dt><dd>${key.lastUsedAt === null ? 'Never' : times.minute(key.lastUsedAt)}</dd></div>
  <div><dt>Created</dt><dd>${times.minute(key.createdAt)}</dd></div>
</dl>
<form class="card" method="post" novalidate action="/keys/${key.id}">
  <div><h2>Name and limits</h2>
  <p class="card-intro">${accessText(key)}. To change what a key may do, create another and revoke this one.</p></div>
  ${nameField(fields.name, problems)}
  ${limitFields(fields, problems, standard)}
  <div class="actions"><button class="button is-primary" type="submit">Save</button></div>
</form>
<section class="card" aria-labelledby="revoke-title">
  <div><h2 id="revoke-title">Revoke this key</h2><p class="card-intro">If you lost it, or somebody else has it, revoke it: it stops working at once. Its links stay.</p></div>
  <div class="actions"><a class="button is-danger" href="/keys/${key.id}/revoke">Revoke…</a></div>
</section>`;
}

export function revokeView({ id, name, lastFour }: ApiKey): Html {
  return html`<form class="card" method="post" novalidate action="/keys/${id}/revoke">
  <div><h1>Revoke <bdi>${name}</bdi>?</h1>
  <p class="card-intro">The key that ends in <code>${lastFour}</code> stops working at once and cannot be restored. The links made with it stay as they are.</p></div>
  <div class="actions"><button class="button is-danger" type="submit">${icon('trash')}Revoke the key</button><a class="button" href="/keys/${id}">Keep it</a></div>
</form>`;
}
