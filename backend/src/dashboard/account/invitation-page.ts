import { accountNameProblem, nameKey, normalizeName } from '../../domain/accounts/names-invitations-sessions.ts';
import { hashPassword, PASSWORD_LENGTH, passwordProblem } from '../../domain/accounts/passwords.ts';
import { hashToken, isToken } from '../../domain/clock-and-random.ts';
import { type Account, FIRST_ACCOUNT } from '../../store/sql/account-queries.ts';
import { collectProblems, type Form, field, type Problems, readForm } from '../components/forms.ts';
import { type Html, html } from '../components/html-elements.ts';
import { page } from '../components/layout.ts';
import type { PageContext, Pages, Services } from '../services.ts';
import { isAccountOf, readProxyUser, startSession } from '../sessions.ts';

/**
 * Page on which a user chooses a name and a password. Users open it with a setup, invitation or password reset link.
 */
export function addInvitationPages(pages: Pages, services: Services): void {
  const { store, clock, random } = services;

  async function invited(context: PageContext): Promise<{ account: Account; hash: Uint8Array } | null> {
    const token = context.req.param('token') ?? '';
    const hash = isToken(token) ? hashToken(token) : null;
    const account = hash && (await store.accounts.invited(hash, clock()));
    return account && { account, hash };
  }

  pages.get('/welcome/:token', async (context) => {
    const found = await invited(context);
    const name = readProxyUser(context, services) ?? undefined;
    return found ? show(context, found.account, name) : showUnusableLink(context);
  });
  pages.post('/welcome/:token', async (context) => {
    const found = await invited(context);
    if (!found) return showUnusableLink(context);
    const form = await readForm(context);
    const name = normalizeName(form.text('name'));
    const problems = await validate(form, name, readProxyUser(context, services));
    if (problems) return show(context, found.account, name, problems);
    const password = await hashPassword(form.text('password'), random);
    const acceptance = { hash: found.hash, name, nameKey: nameKey(name), password, now: clock() };
    const outcome = await store.accounts.accept(acceptance);
    if (outcome === 'unknown') return showUnusableLink(context);
    if (outcome === 'name_taken') {
      return show(context, found.account, name, { name: 'This name is taken. Choose another one.' });
    }
    const credentials = { accountId: outcome.accountId, password };
    if (!(await startSession(context, services, credentials))) return context.redirect('/sign-in', 303);
    return context.redirect(found.account.hasHolder ? '/overview' : '/keys', 303);
  });
}

async function validate(form: Form, name: string, proxyUser: string | null): Promise<Problems> {
  const password = form.text('password');
  const nameProblem = accountNameProblem(name) ?? proxyNameProblem(name, proxyUser);
  return collectProblems({
    name: nameProblem,
    // Omits an invalid name, because comparing the password with a very long name would take too long.
    password: await passwordProblem(password, nameProblem ? '' : name),
    again: password === form.text('again') ? null : 'The passwords do not match.',
  });
}

/**
 * Returns an error message if the name differs from the user name that the proxy sends. With another name, the user
 * could not sign in through the proxy.
 */
function proxyNameProblem(name: string, proxyUser: string | null): string | null {
  return proxyUser === null || isAccountOf(proxyUser, name)
    ? null
    : `Use the name you are signed in with: ${proxyUser}`;
}

function show(context: PageContext, account: Account, name?: string, problems: Problems = null) {
  // Before setup, the first account exists, but has no name and no password.
  const isSetup = account.id === FIRST_ACCOUNT && !account.hasHolder;
  const title = isSetup ? 'Set up Terse' : account.hasHolder ? 'Choose a new password' : 'Welcome to Terse';
  const body = invitationForm(title, name ?? (isSetup ? '' : account.name), problems);
  return page(context, { title, body, section: null, isNarrow: true, status: problems ? 400 : 200 });
}

function invitationForm(title: string, name: string, problems: Problems): Html {
  const { least } = PASSWORD_LENGTH;
  const newPassword = { type: 'password', required: true, autocomplete: 'new-password' } as const;
  const help = `At least ${least} characters. A few random words are easy to remember and hard to guess.`;
  return html`<form class="card" method="post" novalidate>
  <div><h1>${title}</h1><p class="card-intro">Choose the name and password to sign in with. This link works only once.</p></div>
  ${field({ name: 'name', label: 'Name', value: name, required: true, autocomplete: 'username', autofocus: true }, problems)}
  ${field({ name: 'password', label: 'Password', help, ...newPassword }, problems)}
  ${field({ name: 'again', label: 'Repeat the password', ...newPassword }, problems)}
  <button class="button is-primary is-large" type="submit">Continue</button>
</form>`;
}

function showUnusableLink(context: PageContext) {
  const body = html`<div class="card is-centred"><h1>This link no longer works</h1>
  <p>It was already used, replaced by a newer link, or has expired. If you have an account, sign in. Otherwise, ask the owner of this server for a new link.</p>
  <div class="actions"><a class="button" href="/sign-in">Sign in</a></div></div>`;
  return page(context, { title: 'This link no longer works', body, section: null, isNarrow: true, status: 410 });
}
