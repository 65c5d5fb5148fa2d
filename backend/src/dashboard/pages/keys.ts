import { formatConnectionLink } from '@terse/contract';
import { dayOf, startOf } from '../../domain/clicks/days.ts';
import { FULL_ACCESS, hashKey, keyNameProblem, lastFour, mintKey } from '../../domain/keys.ts';
import { report, UNUSED } from '../../domain/limits.ts';
import { judgeLimits, limitsInForce, MOST_KEYS } from '../../domain/own-limits.ts';
import { type ApiKey, FIRST_ACCOUNT, type NewKey } from '../../store/store.ts';
import { type Form, type Problems, problemsOf, readForm } from '../form.ts';
import { page } from '../layout.ts';
import type { Page, PageContext } from '../page.ts';
import type { Services } from '../services.ts';
import { errorPage } from './error.ts';
import { type KeyFields, type KeyUse, keyListView, keyView, madeView, revokeView } from './keys-view.ts';

/** An account's API keys: made, named, limited, revoked. */
export function keyPages(services: Services): Page[] {
  const { store, clock, random, limits, baseUrl } = services;

  async function useOf(key: ApiKey): Promise<KeyUse> {
    const held = limitsInForce(key, limits, key.accountId === FIRST_ACCOUNT);
    const { quota } = report(held, (await store.keys.limitState(key.id)) ?? UNUSED, clock());
    return { key, limits: held, used: quota.limit - quota.remaining };
  }

  async function ownKey(context: PageContext): Promise<ApiKey | undefined> {
    const keys = await store.keys.list(context.var.session.accountId);
    return keys.find(({ id }) => String(id) === context.req.param('id'));
  }

  async function showList(context: PageContext, fields: KeyFields = NO_FIELDS, problems: Problems = null) {
    const keys = await store.keys.list(context.var.session.accountId);
    const uses = await Promise.all(keys.filter(({ revokedAt }) => revokedAt === null).map(useOf));
    const revoked = keys.filter(({ revokedAt }) => revokedAt !== null);
    const flash = MESSAGES[context.req.query('done') ?? ''] ?? null;
    const body = keyListView({
      uses: uses.reverse(),
      revoked: revoked.reverse(),
      fields,
      problems,
      standard: limits,
      flash,
    });
    return page(context, { title: 'Keys', section: 'keys', body, status: problems ? 400 : 200 });
  }

  function createWithin(key: NewKey): Promise<ApiKey | null> {
    return store.keys.createWithin({ most: MOST_KEYS, revokedSince: startOf(dayOf(clock())) }, key);
  }

  function validate(context: PageContext, form: Form) {
    const fields = { name: form.text('name').trim(), quota: form.text('quota'), throttle: form.text('throttle') };
    const checked = judgeLimits(fields, limits, context.var.session.accountId === FIRST_ACCOUNT);
    const wrong = 'problems' in checked ? checked.problems : {};
    const problems = problemsOf({ name: keyNameProblem(fields.name), ...wrong });
    return { fields, problems, own: 'limits' in checked ? checked.limits : NO_LIMITS };
  }

  async function showKey(context: PageContext, key: ApiKey, fields: KeyFields, problems: Problems = null) {
    const body = keyView({ use: await useOf(key), fields, problems, standard: limits });
    return page(context, { title: key.name, section: 'keys', body, status: problems ? 400 : 200 });
  }

  return [
    { method: 'GET', path: '/keys', access: 'holder', handle: (context) => showList(context) },
    {
      method: 'POST',
      path: '/keys',
      access: 'holder',
      async handle(context) {
        const { fields, problems, own } = validate(context, await readForm(context));
        if (problems) return showList(context, fields, problems);
        const text = mintKey(random);
        const { accountId } = context.var.session;
        const key = {
          ...FULL_ACCESS,
          accountId,
          name: fields.name,
          hash: hashKey(text),
          lastFour: lastFour(text),
          createdAt: clock(),
          ...own,
        };
        const made = accountId === FIRST_ACCOUNT ? await store.keys.create(key) : await createWithin(key);
        if (!made) return showList(context, fields, { name: TOO_MANY });
        const body = madeView(fields.name, text, formatConnectionLink({ baseUrl, apiKey: text }));
        return page(context, { title: 'Your new key', section: 'keys', body });
      },
    },
    {
      method: 'GET',
      path: '/keys/:id',
      access: 'holder',
      async handle(context) {
        const key = await ownKey(context);
        if (!key || key.revokedAt !== null) return errorPage(context, 404);
        return showKey(context, key, fieldsOf(key));
      },
    },
    {
      method: 'POST',
      path: '/keys/:id',
      access: 'holder',
      async handle(context) {
        const key = await ownKey(context);
        if (!key || key.revokedAt !== null) return errorPage(context, 404);
        const sent = validate(context, await readForm(context));
        if (sent.problems) return showKey(context, key, sent.fields, sent.problems);
        await store.keys.change(key.accountId, key.id, { name: sent.fields.name, ...sent.own });
        return context.redirect('/keys?done=saved', 303);
      },
    },
    {
      method: 'GET',
      path: '/keys/:id/revoke',
      access: 'holder',
      async handle(context) {
        const key = await ownKey(context);
        if (!key || key.revokedAt !== null) return errorPage(context, 404);
        return page(context, { title: 'Revoke a key', section: 'keys', body: revokeView(key), isNarrow: true });
      },
    },
    {
      method: 'POST',
      path: '/keys/:id/revoke',
      access: 'holder',
      async handle(context) {
        const key = await ownKey(context);
        if (!key) return errorPage(context, 404);
        await store.keys.revoke(key.id, clock());
        return context.redirect('/keys?done=revoked', 303);
      },
    },
  ];
}

const TOO_MANY = `An account has at most ${MOST_KEYS} keys. Revoke one you no longer need; from tomorrow (UTC) on it no longer counts.`;
const NO_FIELDS: KeyFields = { name: '', quota: '', throttle: '' };
const NO_LIMITS = { quota: null, throttle: null };
const MESSAGES: Record<string, string> = {
  saved: 'The key was saved.',
  revoked: 'The key was revoked. It opens nothing any more.',
};

function fieldsOf({ name, quota, throttle }: ApiKey): KeyFields {
  return { name, quota: quota === null ? '' : String(quota), throttle: throttle === null ? '' : String(throttle) };
}
