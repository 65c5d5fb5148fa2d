import { formatConnectionLink, KEY_SCOPES, type KeyScope } from '@terse/contract';
import type { PageContext, Pages, Services } from '../../api/services.ts';
import {
  type ApiKey,
  accessProblem,
  FULL_ACCESS,
  generateKey,
  hashKey,
  KEY_NAME_LIMIT,
  type KeyAccess,
  keyNameProblem,
  lastFour,
} from '../../domain/accounts/api-keys.ts';
import { normalizeName } from '../../domain/accounts/names-invitations-sessions.ts';
import { dayOf, startOf } from '../../domain/analytics/day-counts.ts';
import { type KeyLimits, MAX_KEYS, type OwnLimits, validateKeyLimits } from '../../domain/limits/key-limits.ts';
import { ApiError } from '../../http/api-error.ts';
import { FIRST_ACCOUNT } from '../../store/sql/account-queries.ts';
import { type DateFormats, formatNumber, readerDateFormats } from '../components/dates-and-numbers.ts';
import {
  checkbox,
  collectProblems,
  type Form,
  field,
  formKeyField,
  type Problems,
  readForm,
  submissionHash,
} from '../components/forms.ts';
import { copyButton, flashMessage, type Html, html, icon, panel } from '../components/html-elements.ts';
import { page } from '../components/layout.ts';
import { qrCode } from '../components/qr-code.ts';
import { type KeyUsage, readKeyUsage } from '../remaining-quota.ts';

const TOO_MANY_KEYS = `You have reached the limit of ${MAX_KEYS} API keys. Revoke one that you no longer need, then create another one tomorrow (UTC).`;

const MESSAGES: Record<string, string> = {
  repeated:
    'This form was already sent and its API key was created. The key was displayed only once. If you did not copy it, revoke it and create another one.',
  saved: 'The API key was saved.',
  revoked: 'The API key was revoked and no longer works.',
};

/** Adds the list of API keys and the page of each key. Users can create, rename, limit and revoke keys there. */
export function addKeyPages(pages: Pages, services: Services): void {
  const { store, clock, random, limits, baseUrl } = services;

  async function showList(context: PageContext, form = EMPTY_KEY_FORM) {
    const times = readerDateFormats(context);
    const keys = (await store.keys.list(context.var.session.accountId)).reverse();
    const active = keys.filter(({ revokedAt }) => revokedAt === null);
    const usages = await Promise.all(active.map((key) => readKeyUsage(services, key)));
    const flash = MESSAGES[context.req.query('done') ?? ''];
    const body = html`<div class="page-head"><h1>API keys</h1></div>
${flash ? flashMessage(flash) : ''}
${usages.length > 0 ? html`<ul class="rows card is-flush">${usages.map((usage) => keyRow(usage, times))}</ul>` : NO_KEYS}
<form class="card" method="post" novalidate action="/keys">
  <div><h2>${usages.length > 0 ? 'Create another API key' : 'Create your first API key'}</h2>
  <p class="card-intro">Use a separate API key for each browser or program, so that you can revoke them one by one.</p></div>
  ${formKeyField(random)}${nameField(form)}
  ${accessFields(form)}
  ${limitFields(form, limits)}
  <div class="actions"><button class="button is-primary" type="submit">${icon('plus')}Create API key</button></div>
</form>`;
    return page(context, { title: 'API keys', section: 'keys', body, status: form.problems ? 400 : 200 });
  }

  pages.get('/keys', (context) => showList(context));

  pages.post('/keys', async (context) => {
    const { accountId } = context.var.session;
    const isOwner = accountId === FIRST_ACCOUNT;
    const form = readKeyForm(await readForm(context), limits, isOwner, true);
    if (form.problems) return showList(context, form);
    const text = generateKey(random);
    const secret = { hash: hashKey(text), lastFour: lastFour(text) };
    const key = { accountId, name: form.fields.name, ...secret, createdAt: clock(), ...form.own, ...form.access };
    const created = await store.keys.createFromForm(key, {
      submission: await submissionHash(context),
      max: isOwner ? Number.POSITIVE_INFINITY : MAX_KEYS,
      revokedSince: startOf(dayOf(clock())),
    });
    if (created === 'repeated') return context.redirect('/keys?done=repeated', 303);
    if (!created) return showList(context, { ...form, problems: { name: TOO_MANY_KEYS } });
    const body = newKeyView(created, text, formatConnectionLink({ baseUrl, apiKey: text, ...form.access }));
    return page(context, { title: 'Your new API key', section: 'keys', body });
  });

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

  async function showKey(context: PageContext, key: ApiKey, form: Pick<KeyForm, 'fields' | 'problems'>) {
    const { used, limits: inForce } = await readKeyUsage(services, key);
    const times = readerDateFormats(context);
    const body = html`<nav class="crumbs" aria-label="Up"><a href="/keys">${icon('back')}API keys</a></nav>
<div class="page-head"><h1><bdi>${key.name}</bdi></h1><code class="chip">…${key.lastFour}</code>
  <div class="page-end actions"><a class="button is-danger" href="#revoke" data-opens="revoke">Revoke…</a></div></div>
<dl class="facts">
  <div><dt>Links left today (UTC)</dt><dd>${formatNumber(inForce.quota - used)} of ${formatNumber(inForce.quota)}</dd></div>
  <div><dt>Last used</dt><dd>${key.lastUsedAt === null ? 'Never' : times.minute(key.lastUsedAt)}</dd></div>
  <div><dt>Created</dt><dd>${times.minute(key.createdAt)}</dd></div>
</dl>
<form class="card" method="post" novalidate action="/keys/${key.id}">
  <div><h2>Name and limits</h2>
  <p class="card-intro">${accessText(key)}. Permissions cannot be changed: create another API key and revoke this one.</p></div>
  ${nameField(form)}
  ${limitFields(form, limits)}
  <div class="actions"><button class="button is-primary" type="submit">Save</button></div>
</form>
${panel({ id: 'revoke', title: 'Revoke this API key', content: revokeForm(key) })}`;
    return page(context, { title: key.name, section: 'keys', body, status: form.problems ? 400 : 200 });
  }

  pages.get('/keys/:id', async (context) => {
    const key = await activeKey(context);
    const [quota, throttle] = [String(key.quota ?? ''), String(key.throttle ?? '')];
    return showKey(context, key, { fields: { name: key.name, quota, throttle }, problems: null });
  });

  pages.post('/keys/:id', async (context) => {
    const key = await activeKey(context);
    const form = readKeyForm(await readForm(context), limits, key.accountId === FIRST_ACCOUNT, false);
    if (form.problems) return showKey(context, key, form);
    await store.keys.change(key.accountId, key.id, { name: form.fields.name, ...form.own });
    return context.redirect('/keys?done=saved', 303);
  });

  pages.post('/keys/:id/revoke', async (context) => {
    const { id } = await ownKey(context);
    await store.keys.revoke(id, clock());
    return context.redirect('/keys?done=revoked', 303);
  });
}

const NO_KEYS = html`<section class="empty">${icon('key')}<h2>No API keys yet</h2>
  <p>The Terse extension and other programs need an API key to create links.</p></section>`;

function keyRow({ key, limits, used }: KeyUsage, times: DateFormats): Html {
  const left = limits.quota - used;
  const label = `${formatNumber(left)} of ${formatNumber(limits.quota)} links left today`;
  return html`<li class="row">
  <div class="row-text">
    <p class="row-title"><a href="/keys/${key.id}"><bdi>${key.name}</bdi></a> <code class="chip">…${key.lastFour}</code></p>
    <p class="row-note">${key.lastUsedAt === null ? 'Never used' : html`Last used ${times.minute(key.lastUsedAt)}`} · ${accessText(key)}</p>
  </div>
  <div class="use"><progress max="${limits.quota}" value="${left}" aria-label="${label}"></progress><span>${label}</span></div>
  <a class="button" href="/keys/${key.id}" aria-label="Edit ${key.name}">Edit</a>
</li>`;
}

/** Draws the page that opens after an API key is created. The complete key is displayed only on this page. */
function newKeyView(key: ApiKey, text: string, connectionLink: string): Html {
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

function revokeForm({ id }: ApiKey): Html {
  return html`<form class="panel-form" method="post" action="/keys/${id}/revoke">
  <div class="panel-body"><p>It stops working immediately and cannot be restored. The links created with it are kept.</p></div>
  <div class="panel-foot"><button class="button is-danger" type="submit">${icon('trash')}Revoke API key</button><button class="button" type="button" data-close hidden>Cancel</button></div>
</form>`;
}

/** Form for an API key, as the user submitted it. */
interface KeyForm {
  /** An empty limit means the default limit. */
  fields: { name: string; quota: string; throttle: string };
  access: KeyAccess;
  problems: Problems;
  /** Limits to store if there are no problems. */
  own: OwnLimits;
}

const DEFAULT_LIMITS: OwnLimits = { quota: null, throttle: null };

const EMPTY_KEY_FORM: KeyForm = {
  fields: { name: '', quota: '', throttle: '' },
  access: FULL_ACCESS,
  problems: null,
  own: DEFAULT_LIMITS,
};

/**
 * Reads and validates the form for an API key.
 *
 * @param hasAccess true if the form has the permissions, which cannot be changed later
 */
function readKeyForm(form: Form, standard: KeyLimits, isOwner: boolean, hasAccess: boolean): KeyForm {
  const fields = { name: normalizeName(form.text('name')), quota: form.text('quota'), throttle: form.text('throttle') };
  const scopes = KEY_SCOPES.filter((scope) => form.text(`scope-${scope}`) !== '');
  const access = { scopes, ownLinksOnly: form.text('ownLinksOnly') !== '' };
  const checked = validateKeyLimits(fields, standard, isOwner);
  const problems = collectProblems({
    name: keyNameProblem(fields.name),
    scopes: hasAccess ? accessProblem(access) : null,
    ...('problems' in checked ? checked.problems : {}),
  });
  return { fields, access, problems, own: 'limits' in checked ? checked.limits : DEFAULT_LIMITS };
}

/** Describes the permissions of a key: "Can create, read and manage links". */
function accessText({ scopes, ownLinksOnly }: KeyAccess): string {
  const names = new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(scopes);
  return `Can ${names} ${ownLinksOnly ? 'its own links' : 'links'}`;
}

type ShownForm = Pick<KeyForm, 'fields' | 'problems'>;

function nameField({ fields, problems }: ShownForm): Html {
  const more = { placeholder: 'Laptop', maxlength: KEY_NAME_LIMIT, required: true, autocomplete: 'off' };
  return field({ name: 'name', label: 'Name', value: fields.name, ...more }, problems);
}

/** Draws the fields for the limits of an API key. The fields are collapsed if the key has the default limits. */
function limitFields({ fields, problems }: ShownForm, standard: KeyLimits): Html {
  const { quota, throttle } = fields;
  const isOpen = quota !== '' || throttle !== '';
  return html`<details class="more" ${isOpen ? html`open` : ''}><summary>Limits for this key</summary>
  <div class="fields">
    <p class="help">Leave a field empty to use the default limit: ${formatNumber(standard.quota)} per day, ${standard.throttle} per second.</p>
    ${field({ name: 'quota', label: 'Requests per day', value: quota, placeholder: String(standard.quota), autocomplete: 'off' }, problems)}
    ${field({ name: 'throttle', label: 'Requests per second', value: throttle, placeholder: String(standard.throttle), autocomplete: 'off' }, problems)}
  </div></details>`;
}

const SCOPE_BOXES: { scope: KeyScope; label: string; help: string }[] = [
  { scope: 'create', label: 'Create links', help: 'Required to shorten URLs.' },
  { scope: 'read', label: 'Read links', help: 'Shows your links and their clicks in the extension.' },
  { scope: 'manage', label: 'Manage links', help: 'Edit and delete links.' },
];

/** Draws the check boxes for the permissions of a new API key. Permissions cannot be changed later. */
function accessFields({ access, problems }: KeyForm): Html {
  const { scopes, ownLinksOnly } = access;
  const problem = problems?.scopes;
  const isFirst = Object.keys(problems ?? {})[0] === 'scopes';
  const boxes = SCOPE_BOXES.map(({ scope, label, help }, index) =>
    checkbox(`scope-${scope}`, { label, help, isChecked: scopes.includes(scope), hasFocus: isFirst && index === 0 }),
  );
  const ownLinks = {
    label: 'Only links created with this key',
    help: 'The key cannot see or change your other links.',
  };
  return html`<fieldset class="checks" ${problem ? html`aria-describedby="scopes-problem"` : ''}>
  <legend>Permissions</legend>
  ${boxes}
  ${checkbox('ownLinksOnly', { ...ownLinks, isChecked: ownLinksOnly })}
  ${problem ? html`<p class="problem" id="scopes-problem">${problem}</p>` : ''}
</fieldset>`;
}
