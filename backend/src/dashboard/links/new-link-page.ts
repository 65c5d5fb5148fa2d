import { HTTPS_ADDED, validateNewLink, withHttps } from '../../domain/links/link-form-messages.ts';
import { type DateFormats, dateFormatsFor, readerDateFormats } from '../components/dates-and-numbers.ts';
import { collectProblems, expiryField, field, type Problems, readForm } from '../components/forms.ts';
import { type Html, html, icon } from '../components/html-elements.ts';
import { page } from '../components/layout.ts';
import type { Page, PageContext, Services } from '../page-definition.ts';
import { quotaUsedUpMessage, spendQuota } from '../remaining-quota.ts';

export interface NewLinkFields {
  url: string;
  code: string;
  title: string;
  expiresAt: string;
}

interface NewLinkView {
  fields: NewLinkFields;
  problems: Problems;
  shortBaseUrl: string;
  times: DateFormats;
}

const EMPTY_FIELDS: NewLinkFields = { url: '', code: '', title: '', expiresAt: '' };

export function newLinkPages(services: Services): Page[] {
  const { store, clock, targets, shortBaseUrl } = services;

  function showForm(
    context: PageContext,
    fields: NewLinkFields,
    problems: Problems,
    times: DateFormats,
    status = 400 as 400 | 429,
  ) {
    const body = newLinkView({ fields, problems, shortBaseUrl, times });
    return page(context, { title: 'New link', section: 'links', body, status: problems ? status : 200 });
  }

  return [
    {
      method: 'GET',
      path: '/links/new',
      access: 'user',
      handle: (context) => showForm(context, EMPTY_FIELDS, null, readerDateFormats(context)),
    },
    {
      method: 'POST',
      path: '/links',
      access: 'user',
      async handle(context) {
        const { accountId } = context.var.session;
        const form = await readForm(context);
        const fields = {
          url: form.text('url'),
          code: form.text('code'),
          title: form.text('title'),
          expiresAt: form.text('expiresAt'),
        };
        const times = dateFormatsFor(form.text('zone'));
        const validated = validateNewLink({ ...fields, expiresAt: times.read(fields.expiresAt) }, services, clock());
        if ('problems' in validated) {
          const guess = validated.problems.url && withHttps(fields.url, targets);
          const { url, ...others } = validated.problems;
          const problems = collectProblems({ url: guess ? HTTPS_ADDED : url, ...others });
          return showForm(context, { ...fields, url: guess ?? fields.url }, problems, times);
        }
        const spent = await spendQuota(services, accountId, 'links', 1);
        if (spent?.granted === 0) {
          context.header('Retry-After', String(spent.resetSeconds));
          const problem = quotaUsedUpMessage(spent, 'links', 'Try again', times);
          return showForm(context, fields, { url: problem }, times, 429);
        }
        const created = await store.links.create(accountId, validated.link, clock());
        if (!created)
          return showForm(context, fields, { code: 'This short code is taken. Choose another one.' }, times);
        return context.redirect(`/links?made=${created.code}`, 303);
      },
    },
  ];
}

export function newLinkView({ fields, problems, shortBaseUrl, times }: NewLinkView): Html {
  const code = {
    name: 'code',
    label: 'Short code',
    value: fields.code,
    help: `The part after ${shortBaseUrl}/. Leave empty for a random short code.`,
    autocomplete: 'off',
    maxlength: 64,
  };
  return html`<nav class="crumbs" aria-label="Up"><a href="/links">${icon('back')}Links</a></nav>
<form class="card" method="post" novalidate action="/links">
  <h1>New link</h1>
  ${field({ name: 'url', label: 'Long URL', type: 'url', value: fields.url, placeholder: 'https://…', required: true, autocomplete: 'off', autofocus: true }, problems)}
  ${field(code, problems)}
  ${field({ name: 'title', label: 'Title', value: fields.title, help: 'Only you can see it.', autocomplete: 'off' }, problems)}
  ${expiryField(fields.expiresAt, problems, times)}
  <div class="actions"><button class="button is-primary" type="submit">Create link</button><a class="button" href="/links">Cancel</a></div>
</form>`;
}
