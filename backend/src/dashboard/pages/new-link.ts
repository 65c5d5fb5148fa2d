import { spendBudget, usedUp } from '../account-budget.ts';
import { type Problems, problemsOf, readForm } from '../form.ts';
import { page } from '../layout.ts';
import { HTTPS_ADDED, validateNewLink, withHttps } from '../link-form.ts';
import type { Page, PageContext } from '../page.ts';
import type { Services } from '../services.ts';
import { readerTimes } from '../time-zone.ts';
import { type Times, timesIn } from '../times.ts';
import { type LinkFields, newLinkView } from './new-link-view.ts';

/** The form that makes a link. */
export function newLinkPages(services: Services): Page[] {
  const { store, clock, targets, shortBaseUrl } = services;

  function showForm(
    context: PageContext,
    fields: LinkFields,
    problems: Problems,
    times: Times,
    status = 400 as 400 | 429,
  ) {
    const body = newLinkView({ fields, problems, shortBaseUrl, times });
    return page(context, { title: 'New link', section: 'links', body, status: problems ? status : 200 });
  }

  return [
    {
      method: 'GET',
      path: '/links/new',
      access: 'holder',
      handle: (context) => showForm(context, NO_FIELDS, null, readerTimes(context)),
    },
    {
      method: 'POST',
      path: '/links',
      access: 'holder',
      async handle(context) {
        const { accountId } = context.var.session;
        const form = await readForm(context);
        const fields = {
          url: form.text('url'),
          code: form.text('code'),
          title: form.text('title'),
          expiresAt: form.text('expiresAt'),
        };
        const times = timesIn(form.text('zone'));
        const validated = validateNewLink({ ...fields, expiresAt: times.read(fields.expiresAt) }, services, clock());
        if ('problems' in validated) {
          const guess = validated.problems.url && withHttps(fields.url, targets);
          const { url, ...others } = validated.problems;
          const problems = problemsOf({ url: guess ? HTTPS_ADDED : url, ...others });
          return showForm(context, { ...fields, url: guess ?? fields.url }, problems, times);
        }
        const spent = await spendBudget(services, accountId, 'links', 1);
        if (spent?.granted === 0) {
          context.header('Retry-After', String(spent.resetSeconds));
          const problem = usedUp(spent, 'requests', 'Please try again', times);
          return showForm(context, fields, { url: problem }, times, 429);
        }
        const made = await store.links.create(accountId, validated.link, clock());
        if (!made)
          return showForm(context, fields, { code: 'This short code is taken. Please choose another.' }, times);
        return context.redirect(`/links?made=${made.code}`, 303);
      },
    },
  ];
}

const NO_FIELDS: LinkFields = { url: '', code: '', title: '', expiresAt: '' };
