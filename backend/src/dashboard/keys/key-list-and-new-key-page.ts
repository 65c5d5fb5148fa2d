import { formatConnectionLink } from '@terse/contract';
import type { ApiKey } from '../../domain/accounts/api-keys.ts';
import {
  accessProblem,
  FULL_ACCESS,
  generateKey,
  hashKey,
  type KeyAccess,
  lastFour,
} from '../../domain/accounts/api-keys.ts';
import { dayOf, startOf } from '../../domain/analytics/calendar.ts';
import type { Random } from '../../domain/clock-and-random.ts';
import { type KeyLimits, MAX_KEYS } from '../../domain/limits/key-limits.ts';
import { FIRST_ACCOUNT } from '../../store/sql/account-queries.ts';
import { type DateFormats, formatNumber, readerDateFormats } from '../components/dates-and-numbers.ts';
import { collectProblems, formKeyField, type Problems, readForm, submissionHash } from '../components/forms.ts';
import { copyButton, flashMessage, type Html, html, icon } from '../components/html-elements.ts';
import { page } from '../components/layout.ts';
import { qrCode } from '../components/qr-code.ts';
import { type KeyUsage, readKeyUsage } from '../remaining-quota.ts';
import type { PageContext, Pages, Services } from '../services.ts';
import {
  accessFields,
  accessText,
  EMPTY_KEY_FIELDS,
  type KeyFields,
  limitFields,
  nameField,
  readAccess,
  validateKeyForm,
} from './key-form-fields.ts';

interface KeyList {
  usages: KeyUsage[];
  revoked: ApiKey[];
  fields: KeyFields;
  access: KeyAccess;
  problems: Problems;
  standard: KeyLimits;
  flash: string | null;
  times: DateFormats;
  random: Random;
}

interface SubmittedForm {
  fields: KeyFields;
  access: KeyAccess;
  problems: Problems;
}

const EMPTY_FORM: SubmittedForm = { fields: EMPTY_KEY_FIELDS, access: FULL_ACCESS, problems: null };

const TOO_MANY_KEYS = `You have reached the limit of ${MAX_KEYS} API keys. Revoke one that you no longer need, then create another one tomorrow (UTC).`;

const MESSAGES: Record<string, string> = {
  repeated:
    'This form was already sent and its API key was created. The key was displayed only once. If you did not copy it, revoke it and create another one.',
  saved: 'The API key was saved.',
  revoked: 'The API key was revoked and no longer works.',
};

/** Page that lists the API keys of an account and creates new keys. */
export function addKeyListPages(pages: Pages, services: Services): void {
  const { store, clock, random, limits, baseUrl } = services;

  async function showList(context: PageContext, submitted: SubmittedForm = EMPTY_FORM) {
    const keys = await store.keys.list(context.var.session.accountId);
    const active = keys.filter(({ revokedAt }) => revokedAt === null);
    const body = keyListView({
      usages: (await Promise.all(active.map((key) => readKeyUsage(services, key)))).reverse(),
      revoked: keys.filter(({ revokedAt }) => revokedAt !== null).reverse(),
      ...submitted,
      standard: limits,
      flash: MESSAGES[context.req.query('done') ?? ''] ?? null,
      times: readerDateFormats(context),
      random,
    });
    return page(context, { title: 'API keys', section: 'keys', body, status: submitted.problems ? 400 : 200 });
  }

  pages.get('/keys', (context) => showList(context));
  pages.post('/keys', async (context) => {
    const { accountId } = context.var.session;
    const form = await readForm(context);
    const access = readAccess(form);
    const { fields, problems: others, own } = validateKeyForm(form, limits, accountId === FIRST_ACCOUNT);
    const { name, ...limitProblems } = others ?? {};
    const problems = collectProblems({ name: name ?? null, scopes: accessProblem(access), ...limitProblems });
    if (problems) return showList(context, { fields, access, problems });
    const text = generateKey(random);
    const secret = { hash: hashKey(text), lastFour: lastFour(text) };
    const key = { accountId, name: fields.name, ...secret, createdAt: clock(), ...own, ...access };
    const created = await store.keys.createFromForm(key, {
      submission: await submissionHash(context),
      max: accountId === FIRST_ACCOUNT ? Number.POSITIVE_INFINITY : MAX_KEYS,
      revokedSince: startOf(dayOf(clock())),
    });
    if (created === 'repeated') return context.redirect('/keys?done=repeated', 303);
    if (!created) return showList(context, { fields, access, problems: { name: TOO_MANY_KEYS } });
    const body = newKeyView(created, text, formatConnectionLink({ baseUrl, apiKey: text, ...access }));
    return page(context, { title: 'Your new API key', section: 'keys', body });
  });
}

export function keyListView(view: KeyList): Html {
  const { usages, revoked, fields, access, problems, standard, flash, times, random } = view;
  return html`<div class="page-head"><h1>API keys</h1></div>
${flash ? flashMessage(flash) : ''}
${usages.length > 0 ? html`<ul class="rows card is-flush">${usages.map((usage) => keyRow(usage, times))}</ul>` : noKeys()}
<form class="card" method="post" novalidate action="/keys">
  <div><h2>${usages.length > 0 ? 'Create another API key' : 'Create your first API key'}</h2>
  <p class="card-intro">Use a separate API key for each browser or program, so that you can revoke them one by one.</p></div>
  ${formKeyField(random)}${nameField(fields.name, problems)}
  ${accessFields(access, problems)}
  ${limitFields(fields, problems, standard)}
  <div class="actions"><button class="button is-primary" type="submit">${icon('plus')}Create API key</button></div>
</form>
${revoked.length > 0 ? revokedKeys(revoked, times) : ''}`;
}

function noKeys(): Html {
  return html`<section class="empty">${icon('key')}<h2>No API keys yet</h2>
  <p>The Terse extension and other programs need an API key to create links.</p></section>`;
}

function keyRow({ key, limits, used }: KeyUsage, times: DateFormats): Html {
  const left = limits.quota - used;
  const label = `${formatNumber(left)} of ${formatNumber(limits.quota)} links left today`;
  return html`<li class="row">
  <div class="row-text">
    <p class="row-title"><a href="/keys/${key.id}"><bdi>${key.name}</bdi></a> <code class="chip">…${key.lastFour}</code></p>
    <p class="row-note">${key.lastUsedAt === null ? 'Never used' : html`Last used ${times.minute(key.lastUsedAt)}`} · ${accessText(key)}</p>
  </div>
  <div class="use"><meter min="0" max="${limits.quota}" value="${left}" aria-label="${label}"></meter><span>${label}</span></div>
  <a class="button" href="/keys/${key.id}" aria-label="Edit ${key.name}">Edit</a>
</li>`;
}

function revokedKeys(keys: ApiKey[], times: DateFormats): Html {
  const rows = keys.map(
    ({ name, lastFour, revokedAt }) => html`<li class="row"><div class="row-text">
    <p class="row-title"><bdi>${name}</bdi> <code class="chip">…${lastFour}</code></p>
    <p class="row-note">Revoked ${times.minute(revokedAt ?? 0)}</p></div></li>`,
  );
  return html`<details class="card is-flush"><summary class="flush-head">Revoked API keys <span class="count">${keys.length}</span></summary><ul class="rows">${rows}</ul></details>`;
}

/** Draws the page that opens after an API key is created. The complete key is displayed only on this page. */
export function newKeyView(key: ApiKey, text: string, connectionLink: string): Html {
  return html`<div class="page-head"><h1>Your new API key</h1></div>
<section class="card" aria-labelledby="connect-title">
  <div><h2 id="connect-title">Connect the extension</h2>
  <p class="card-intro">Paste this connection link into the extension’s options. On a phone whose browser has the extension, scan the code. The link contains the API key <bdi>${key.name}</bdi>, which is shown <strong>only once</strong>.</p></div>
  <div class="secret-pair">
    <div class="secret"><p class="secret-text"><code>${connectionLink}</code></p><div class="actions">${copyButton(connectionLink, 'Copy the connection link')}</div></div>
    ${qrCode(connectionLink, 'QR code of the connection link')}
  </div>
  <p class="help">${accessText(key)}.</p>
</section>
<section class="card" aria-labelledby="key-title">
  <div><h2 id="key-title">Use it in a program</h2><p class="card-intro">Send the API key as <code>Authorization: Bearer</code> or as <code>X-API-Key</code>.</p></div>
  <div class="secret"><p class="secret-text"><code>${text}</code></p><div class="actions">${copyButton(text, 'Copy the API key')}</div></div>
</section>
<div class="actions"><a class="button is-primary" href="/keys">Done</a></div>`;
}
