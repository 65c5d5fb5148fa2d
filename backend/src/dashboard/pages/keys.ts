import { formatConnectionLink } from '@terse/contract';
import { dayOf, startOf } from '../../domain/clicks/days.ts';
import { hashKey, keyNameProblem, lastFour, mintKey } from '../../domain/keys.ts';
import { report, UNUSED } from '../../domain/limits.ts';
import { judgeLimits, limitsInForce, MOST_KEYS } from '../../domain/own-limits.ts';
import { type ApiKey, FIRST_ACCOUNT, type NewKey } from '../../store/store.ts';
import type { Page, PageContext, Services } from '../env.ts';
import { type Form, type Problems, problemsOf, readForm } from '../form.ts';
import { page } from '../layout.ts';
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

  async function own(context: PageContext): Promise<ApiKey | undefined> {
    const keys = await store.keys.list(context.var.session.accountId);
    return keys.find(({ id }) => String(id) === context.req.param('id'));
  }

  async function list(context: PageContext, fields: KeyFields = NO_FIELDS, problems: Problems = null) {
    const keys = await store.keys.list(context.var.session.accountId);
    const uses = await Promise.all(keys.filter(({ revokedAt }) => revokedAt === null).map(useOf));
    const revoked = keys.filter(({ revokedAt }) => revokedAt !== null);
    const said = SAID[context.req.query('said') ?? ''] ?? null;
    const body = keyListView({
      uses: uses.reverse(),
      revoked: revoked.reverse(),
      fields,
      problems,
      standard: limits,
      said,
    });
    return page(context, { title: 'Keys', section: 'keys', body, status: problems ? 400 : 200 });
  }

  function createWithin(key: NewKey): Promise<ApiKey | null> {
    return store.keys.createWithin({ most: MOST_KEYS, revokedSince: startOf(dayOf(clock())) }, key);
  }

  function judge(context: PageContext, form: Form) {
    const fields = { name: form.text('name').trim(), quota: form.text('quota'), throttle: form.text('throttle') };
    const judged = judgeLimits(fields, limits, context.var.session.accountId === FIRST_ACCOUNT);
    const wrong = 'problems' in judged ? judged.problems : {};
    const problems = problemsOf({ name: keyNameProblem(fields.name), ...wrong });
    return { fields, problems, own: 'limits' in judged ? judged.limits : NO_LIMITS };
  }

  async function edit(context: PageContext, key: ApiKey, fields: KeyFields, problems: Problems = null) {
    const body = keyView({ use: await useOf(key), fields, problems, standard: limits });
    return page(context, { title: key.name, section: 'keys', body, status: problems ? 400 : 200 });
  }

  return [
    { method: 'GET', path: '/keys', access: 'holder', handle: (context) => list(context) },
    {
      method: 'POST',
      path: '/keys',
      access: 'holder',
      async handle(context) {
        const { fields, problems, own } = judge(context, await readForm(context));
        if (problems) return list(context, fields, problems);
        const text = mintKey(random);
        const { accountId } = context.var.session;
        const key = {
          accountId,
          name: fields.name,
          hash: hashKey(text),
          lastFour: lastFour(text),
          createdAt: clock(),
          ...own,
        };
        const made = accountId === FIRST_ACCOUNT ? await store.keys.create(key) : await createWithin(key);
        if (!made) return list(context, fields, { name: TOO_MANY });
        const body = madeView(fields.name, text, formatConnectionLink({ baseUrl, apiKey: text }));
        return page(context, { title: 'Your new key', section: 'keys', body });
      },
    },
    {
      method: 'GET',
      path: '/keys/:id',
      access: 'holder',
      async handle(context) {
        const key = await own(context);
        if (!key || key.revokedAt !== null) return errorPage(context, 404);
        return edit(context, key, fieldsOf(key));
      },
    },
    {
      method: 'POST',
      path: '/keys/:id',
      access: 'holder',
      async handle(context) {
        const key = await own(context);
        if (!key || key.revokedAt !== null) return errorPage(context, 404);
        const judged = judge(context, await readForm(context));
        if (judged.problems) return edit(context, key, judged.fields, judged.problems);
        await store.keys.change(key.accountId, key.id, { name: judged.fields.name, ...judged.own });
        return context.redirect('/keys?said=saved', 303);
      },
    },
    {
      method: 'GET',
      path: '/keys/:id/revoke',
      access: 'holder',
      async handle(context) {
        const key = await own(context);
        if (!key || key.revokedAt !== null) return errorPage(context, 404);
        return page(context, { title: 'Revoke a key', section: 'keys', body: revokeView(key), isNarrow: true });
      },
    },
    {
      method: 'POST',
      path: '/keys/:id/revoke',
      access: 'holder',
      async handle(context) {
        const key = await own(context);
        if (!key) return errorPage(context, 404);
        await store.keys.revoke(key.id, clock());
        return context.redirect('/keys?said=revoked', 303);
      },
    },
  ];
}

const TOO_MANY = `An account has at most ${MOST_KEYS} keys. Revoke one you no longer need; from tomorrow (UTC) on it no longer counts.`;
const NO_FIELDS: KeyFields = { name: '', quota: '', throttle: '' };
const NO_LIMITS = { quota: null, throttle: null };
const SAID: Record<string, string> = {
  saved: 'The key was saved.',
  revoked: 'The key was revoked. It opens nothing any more.',
};

function fieldsOf({ name, quota, throttle }: ApiKey): KeyFields {
  return { name, quota: quota === null ? '' : String(quota), throttle: throttle === null ? '' : String(throttle) };
}
