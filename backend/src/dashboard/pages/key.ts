import { type ApiKey, FIRST_ACCOUNT } from '../../store/store.ts';
import { type Problems, readForm } from '../form.ts';
import { fieldsOf, type KeyFields, validateKeyForm } from '../key-form.ts';
import { useOfKey } from '../key-use.ts';
import { page } from '../layout.ts';
import type { Page, PageContext } from '../page.ts';
import type { Services } from '../services.ts';
import { readerTimes } from '../time-zone.ts';
import { ifFound } from './found.ts';
import { keyView, revokeView } from './key-view.ts';

/** One API key: its use, its name and limits, and its end. */
export function keyPages(services: Services): Page[] {
  const { store, clock, limits } = services;

  async function ownKey(context: PageContext): Promise<ApiKey | null> {
    const keys = await store.keys.list(context.var.session.accountId);
    return keys.find(({ id }) => String(id) === context.req.param('id')) ?? null;
  }

  async function activeKey(context: PageContext): Promise<ApiKey | null> {
    const key = await ownKey(context);
    return key?.revokedAt === null ? key : null;
  }

  async function showKey(context: PageContext, key: ApiKey, fields: KeyFields, problems: Problems = null) {
    const use = await useOfKey(services, key);
    const body = keyView({ use, fields, problems, standard: limits, times: readerTimes(context) });
    return page(context, { title: key.name, section: 'keys', body, status: problems ? 400 : 200 });
  }

  return [
    {
      method: 'GET',
      path: '/keys/:id',
      access: 'holder',
      handle: ifFound(activeKey, (context, key) => showKey(context, key, fieldsOf(key))),
    },
    {
      method: 'POST',
      path: '/keys/:id',
      access: 'holder',
      handle: ifFound(activeKey, async (context, key) => {
        const isOwner = key.accountId === FIRST_ACCOUNT;
        const { fields, problems, own } = validateKeyForm(await readForm(context), limits, isOwner);
        if (problems) return showKey(context, key, fields, problems);
        await store.keys.change(key.accountId, key.id, { name: fields.name, ...own });
        return context.redirect('/keys?done=saved', 303);
      }),
    },
    {
      method: 'GET',
      path: '/keys/:id/revoke',
      access: 'holder',
      handle: ifFound(activeKey, (context, key) =>
        page(context, { title: 'Revoke a key', section: 'keys', body: revokeView(key), isNarrow: true }),
      ),
    },
    {
      method: 'POST',
      path: '/keys/:id/revoke',
      access: 'holder',
      handle: ifFound(ownKey, async (context, key) => {
        await store.keys.revoke(key.id, clock());
        return context.redirect('/keys?done=revoked', 303);
      }),
    },
  ];
}
