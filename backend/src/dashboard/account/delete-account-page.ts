import { nameKey } from '../../domain/accounts/names-invitations-sessions.ts';
import { verifyPassword } from '../../domain/accounts/passwords.ts';
import { ApiError } from '../../http/api-error.ts';
import { clientNetwork } from '../../http/client-address.ts';
import { purgeDeletedAccounts } from '../../maintenance/purge.ts';
import { FIRST_ACCOUNT } from '../../store/sql/account-queries.ts';
import { field, type Problems, readForm } from '../components/forms.ts';
import { type Html, html, icon } from '../components/html-elements.ts';
import { page } from '../components/layout.ts';
import type { PageContext, Pages, Services } from '../services.ts';
import { deleteSessionCookie } from '../sessions.ts';
import { type SignInLimit, tooManyAttemptsMessage } from './sign-in-limit.ts';

const DELETE_PATH = '/account/delete';

export function addDeleteAccountPages(pages: Pages, services: Services, signInLimit: SignInLimit): void {
  const { store, clock, log, baseUrl } = services;

  function showForm(context: PageContext, problem?: string, status: 200 | 400 | 429 = 200) {
    const problems = problem ? { password: problem } : null;
    const body = deleteForm(context.var.session.accountName, problems);
    return page(context, { title: 'Delete your account', section: 'account', body, isNarrow: true, status });
  }

  pages.get(DELETE_PATH, (context) => {
    if (isOwner(context)) throw new ApiError('not_found');
    return showForm(context);
  });
  pages.post(DELETE_PATH, async (context) => {
    if (isOwner(context)) throw new ApiError('not_found');
    const { accountId, accountName } = context.var.session;
    const password = (await readForm(context)).text('password');
    const verified = (await store.accounts.credentialsOf(accountId))?.password ?? null;
    const wait = signInLimit.attempt(
      nameKey(accountName),
      clientNetwork(context.env.incoming, services.trustedProxies),
    );
    if (wait > 0) return showForm(context, tooManyAttemptsMessage(wait), 429);
    const isRight = await verifyPassword(password, verified);
    const removed = isRight && (await store.accounts.remove({ accountId, verified, now: clock() }));
    if (!removed) return showForm(context, 'This is not your password. Try again.', 400);
    deleteSessionCookie(context, baseUrl);
    await purgeDeletedAccounts(store, clock()).catch((error) =>
      log('error', 'the data of a deleted account was not purged; the next maintenance run tries again', { error }),
    );
    return page(context, { title: 'Your account was deleted', body: deletedView(), section: null, isNarrow: true });
  });
}

function isOwner(context: PageContext): boolean {
  return context.var.session.accountId === FIRST_ACCOUNT;
}

function deleteForm(name: string, problems: Problems): Html {
  return html`<form class="card" method="post" novalidate action="${DELETE_PATH}">
  <div><h1>Delete the account <bdi>${name}</bdi>?</h1>
  <p class="card-intro">This happens immediately and cannot be undone:</p></div>
  <ul class="plain">
    <li>Your short URLs stop working, and their codes are never used again.</li>
    <li>Your links, clicks, imports and API keys are deleted.</li>
    <li>You are signed out everywhere.</li>
  </ul>
  <p>If you want to keep a copy of your links, <a href="/links/export.csv" download>export them</a> first.</p>
  ${field({ name: 'password', label: 'Your password', type: 'password', required: true, autocomplete: 'current-password' }, problems)}
  <div class="actions"><button class="button is-danger" type="submit">${icon('trash')}Delete account</button><a class="button" href="/account">Cancel</a></div>
</form>`;
}

function deletedView(): Html {
  return html`<div class="card is-centred"><h1>Your account was deleted</h1>
  <p>All its data was deleted, and you were signed out.</p></div>`;
}
