import { formatConnectionLink } from '@terse/contract';
import { dayOf, startOf } from '../../domain/clicks/days.ts';
import { MOST_KEYS } from '../../domain/key-limits.ts';
import { accessProblem, FULL_ACCESS, hashKey, type KeyAccess, lastFour, mintKey } from '../../domain/keys.ts';
import { type ApiKey, FIRST_ACCOUNT, type NewKey } from '../../store/store.ts';
import { type Problems, problemsOf, readForm } from '../form.ts';
import { type KeyFields, NO_FIELDS, readAccess, validateKeyForm } from '../key-form.ts';
import { useOfKey } from '../key-use.ts';
import { page } from '../layout.ts';
import type { Page, PageContext } from '../page.ts';
import type { Services } from '../services.ts';
import { readerTimes } from '../time-zone.ts';
import { keyListView, newKeyView } from './keys-view.ts';

/** The list of an account's API keys, and the form that makes one. */
export function keyListPages(services: Services): Page[] {
  const { store, clock, random, limits, baseUrl } = services;

  async function showList(context: PageContext, sent: Sent = NOTHING_SENT) {
    const keys = await store.keys.list(context.var.session.accountId);
    const active = keys.filter(({ revokedAt }) => revokedAt === null);
    const body = keyListView({
      uses: (await Promise.all(active.map((key) => useOfKey(services, key)))).reverse(),
      revoked: keys.filter(({ revokedAt }) => revokedAt !== null).reverse(),
      ...sent,
      standard: limits,
      flash: MESSAGES[context.req.query('done') ?? ''] ?? null,
      times: readerTimes(context),
    });
    return page(context, { title: 'Keys', section: 'keys', body, status: sent.problems ? 400 : 200 });
  }

  /** Null where the account has too many keys already. The owner may have any number. */
  function createKey(key: NewKey): Promise<ApiKey | null> {
    if (key.accountId === FIRST_ACCOUNT) return store.keys.create(key);
    return store.keys.createWithin({ most: MOST_KEYS, revokedSince: startOf(dayOf(clock())) }, key);
  }

  return [
    { method: 'GET', path: '/keys', access: 'holder', handle: (context) => showList(context) },
    {
      method: 'POST',
      path: '/keys',
      access: 'holder',
      async handle(context) {
        const { accountId } = context.var.session;
        const form = await readForm(context);
        const access = readAccess(form);
        const { fields, problems: others, own } = validateKeyForm(form, limits, accountId === FIRST_ACCOUNT);
        const { name, ...limitProblems } = others ?? {};
        const problems = problemsOf({ name: name ?? null, scopes: accessProblem(access), ...limitProblems });
        if (problems) return showList(context, { fields, access, problems });
        const text = mintKey(random);
        const secret = { hash: hashKey(text), lastFour: lastFour(text) };
        const made = await createKey({
          accountId,
          name: fields.name,
          ...secret,
          createdAt: clock(),
          ...own,
          ...access,
        });
        if (!made) return showList(context, { fields, access, problems: { name: TOO_MANY } });
        const body = newKeyView(made, text, formatConnectionLink({ baseUrl, apiKey: text, ...access }));
        return page(context, { title: 'Your new key', section: 'keys', body });
      },
    },
  ];
}

/** The form as it was sent, with what is wrong with it. */
interface Sent {
  fields: KeyFields;
  access: KeyAccess;
  problems: Problems;
}

const NOTHING_SENT: Sent = { fields: NO_FIELDS, access: FULL_ACCESS, problems: null };
const TOO_MANY = `You have ${MOST_KEYS} keys, and cannot have more. Revoke one you no longer need: from tomorrow (UTC), you can create another.`;
const MESSAGES: Record<string, string> = {
  saved: 'The key was saved.',
  revoked: 'The key was revoked. It no longer works.',
};
