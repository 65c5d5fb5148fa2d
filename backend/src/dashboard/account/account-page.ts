import type { MiddlewareHandler } from 'hono';
import type { PageContext, PageEnv, Pages, Services } from '../../api/services.ts';
import {
  accountNameProblem,
  createInvitation,
  invitationLink,
  isInvitable,
  isSessionValid,
  nameKey,
  normalizeName,
} from '../../domain/accounts/names-invitations-sessions.ts';
import { hashPassword, PASSWORD_LENGTH, passwordProblem, verifyPassword } from '../../domain/accounts/passwords.ts';
import type { Random } from '../../domain/clock-and-random.ts';
import { ApiError } from '../../http/api-error.ts';
import { clientNetwork } from '../../http/client-address.ts';
import { purgeDeletedAccounts } from '../../maintenance/maintenance.ts';
import { type Account, FIRST_ACCOUNT, type Session } from '../../store/sql/account-queries.ts';
import { type DateFormats, readerDateFormats } from '../components/dates-and-numbers.ts';
import { collectProblems, field, formKeyField, type Problems, readForm, submissionHash } from '../components/forms.ts';
import { copyButton, flashMessage, type Html, html, icon, panel } from '../components/html-elements.ts';
import { page } from '../components/layout.ts';
import { deleteSessionCookie, startSession } from '../sessions.ts';
import { type SignInLimit, tooManyAttemptsMessage } from './sign-in-page.ts';

const WRONG_PASSWORD = 'This is not your password. Try again.';

const PASSWORD_CHANGED =
  'Your password was changed. You were signed out on all other devices, and links to reset the password no longer work.';

/** An invitation that was just created. Its link is displayed only once. */
interface Invitation {
  name: string;
  link: string;
}

/**
 * Adds the account page with the user's password and sessions, and with a panel that deletes the account. The owner of
 * the server instead sees all accounts and can invite users.
 */
export function addAccountPages(pages: Pages, services: Services, signInLimit: SignInLimit): void {
  const { store, clock, random, baseUrl, log } = services;

  async function show(
    context: PageContext,
    { problems = null, invitation }: { problems?: Problems; invitation?: Invitation } = {},
    status: 200 | 400 | 429 = 200,
  ) {
    const { session } = context.var;
    const times = readerDateFormats(context);
    const stored = await store.sessions.list(session.accountId);
    // Expired sessions may still be stored, because the maintenance job deletes them later.
    const sessions = stored.filter((session) => isSessionValid(session, clock()));
    const isOwner = session.accountId === FIRST_ACCOUNT;
    const body = html`<div class="page-head"><h1>Account</h1><bdi>${session.accountName}</bdi>
  ${isOwner ? '' : html`<div class="page-end actions"><a class="button is-danger" href="#delete" data-opens="delete">Delete…</a></div>`}</div>
${context.req.query('done') === 'password' ? flashMessage(PASSWORD_CHANGED) : ''}
${passwordForm(problems)}
${sessionList(sessions, session.id, times)}
${isOwner ? accountList(await store.accounts.list(), { problems, invitation, times, random }) : panel({ id: 'delete', title: 'Delete your account', content: deleteForm(problems) })}`;
    return page(context, { title: 'Account', section: 'account', body, status });
  }

  /**
   * Checks the password of the signed-in user, and counts the attempt. Returns a message if the password is wrong, and
   * otherwise the stored hash that was checked.
   */
  async function checkPassword(context: PageContext, password: string) {
    const { accountId, accountName } = context.var.session;
    const verified = (await store.accounts.credentialsOf(accountId))?.password ?? null;
    const wait = signInLimit.attempt(
      nameKey(accountName),
      clientNetwork(context.env.incoming, services.trustedProxies),
    );
    if (wait > 0) return { verified, problem: tooManyAttemptsMessage(wait), status: 429 } as const;
    const isRight = await verifyPassword(password, verified);
    return { verified, problem: isRight ? null : WRONG_PASSWORD, status: 400 } as const;
  }

  async function invite(context: PageContext, { id, name }: Account) {
    const { token, stored } = createInvitation(random, id, clock());
    await store.accounts.invite(stored);
    return show(context, { invitation: { name, link: invitationLink(baseUrl, token) } });
  }

  pages.get('/account', (context) => show(context));

  pages.post('/account/password', async (context) => {
    const { accountId, accountName, id } = context.var.session;
    const form = await readForm(context);
    const { verified, problem, status } = await checkPassword(context, form.text('current'));
    if (status === 429) return show(context, { problems: { current: problem } }, status);
    const password = form.text('password');
    const problems = collectProblems({
      current: problem,
      password: problem ? null : await passwordProblem(password, accountName),
      again: password === form.text('again') ? null : 'The passwords do not match.',
    });
    if (problems || !verified) return show(context, { problems }, 400);
    const hash = await hashPassword(password, random);
    const change = { accountId, verified, password: hash, keptSession: id };
    const changed = await store.accounts.changePassword(change);
    if (!changed) return show(context, { problems: { current: WRONG_PASSWORD } }, 400);
    // Replaces this browser's session, so that a stolen session cookie no longer works.
    const isStarted = await startSession(context, services, { accountId, password: hash });
    return context.redirect(isStarted ? '/account?done=password' : '/sign-in', 303);
  });

  pages.post('/account/sessions/:id/end', async (context) => {
    const id = Number(context.req.param('id'));
    const ended = Number.isSafeInteger(id) && (await store.sessions.end(context.var.session.accountId, id));
    if (!ended) throw new ApiError('not_found');
    return context.redirect('/account', 303);
  });

  pages.post('/account/invitations/:id', requireOwner, async (context) => {
    const id = Number(context.req.param('id'));
    const account = Number.isSafeInteger(id) ? await store.accounts.get(id) : null;
    if (!account || !isInvitable(account)) throw new ApiError('not_found');
    return invite(context, account);
  });

  pages.post('/account/invitations', requireOwner, async (context) => {
    const name = normalizeName((await readForm(context)).text('invitee'));
    const problem = accountNameProblem(name);
    if (problem) return show(context, { problems: { invitee: problem } }, 400);
    const account = await store.accounts.createFromForm(name, await submissionHash(context), clock());
    return account && isInvitable(account) ? invite(context, account) : context.redirect('/account', 303);
  });

  pages.post('/account/delete', async (context) => {
    const { accountId } = context.var.session;
    if (accountId === FIRST_ACCOUNT) throw new ApiError('not_found');
    const { text } = await readForm(context);
    const { verified, problem, status } = await checkPassword(context, text('confirmation'));
    if (problem) return show(context, { problems: { confirmation: problem } }, status);
    const removed = await store.accounts.remove({ accountId, verified, now: clock() });
    if (!removed) return show(context, { problems: { confirmation: WRONG_PASSWORD } }, 400);
    deleteSessionCookie(context, baseUrl);
    await purgeDeletedAccounts(store, clock()).catch((error) =>
      log('error', 'the data of a deleted account was not purged; the next maintenance run tries again', { error }),
    );
    return page(context, { title: 'Your account was deleted', body: DELETED, section: null, isNarrow: true });
  });
}

const requireOwner: MiddlewareHandler<PageEnv> = async (context, next) => {
  if (context.var.session.accountId !== FIRST_ACCOUNT) throw new ApiError('forbidden');
  await next();
};

function passwordForm(problems: Problems): Html {
  const newPassword = { type: 'password', required: true, autocomplete: 'new-password' } as const;
  const current = { type: 'password', required: true, autocomplete: 'current-password' } as const;
  const help = `At least ${PASSWORD_LENGTH.least} characters.`;
  return html`<form class="card" method="post" novalidate action="/account/password">
  <h2>Change your password</h2>
  ${field({ name: 'current', label: 'Current password', ...current }, problems)}
  ${field({ name: 'password', label: 'New password', help, ...newPassword }, problems)}
  ${field({ name: 'again', label: 'Repeat the new password', ...newPassword }, problems)}
  <div class="actions"><button class="button is-primary" type="submit">Change password</button></div>
</form>`;
}

function sessionList(sessions: Session[], current: number, times: DateFormats): Html {
  const rows = sessions.map(
    ({ id, device, createdAt, lastUsedAt }) => html`<li class="row">
    <div class="row-text">
      <p class="row-title">${device} ${id === current ? html`<span class="chip is-good">This browser</span>` : ''}</p>
      <p class="row-note">Signed in ${times.minute(createdAt)} · last used ${times.minute(lastUsedAt)}</p>
    </div>
    ${id === current ? '' : html`<form method="post" action="/account/sessions/${id}/end"><button class="button is-danger" type="submit" aria-label="Sign out ${device}">Sign out</button></form>`}
  </li>`,
  );
  return html`<section class="card" aria-labelledby="sessions-title">
  <div><h2 id="sessions-title">Where you are signed in</h2>
  <p class="card-intro">You are signed out after a week without activity, or a month after signing in. IP addresses are not stored.</p></div>
  <ul class="rows">${rows}</ul>
</section>`;
}

interface AccountListOptions {
  problems: Problems;
  invitation: Invitation | undefined;
  times: DateFormats;
  random: Random;
}

function accountList(accounts: Account[], { problems, invitation, times, random }: AccountListOptions): Html {
  const rows = accounts.map(
    (account) => html`<li class="row">
    <div class="row-text"><p class="row-title"><bdi>${account.name}</bdi> ${accountState(account)}</p>
    ${account.createdAt > 0 ? html`<p class="row-note">Created ${times.minute(account.createdAt)}</p>` : ''}</div>
    ${isInvitable(account) ? html`<form method="post" action="/account/invitations/${account.id}"><button class="button" type="submit" aria-label="New invitation link for ${account.name}">New invitation link</button></form>` : ''}
  </li>`,
  );
  return html`<section class="card" aria-labelledby="accounts-title">
  <div><h2 id="accounts-title">Accounts</h2>
  <p class="card-intro">Each account has its own API keys and links, and cannot see those of other accounts. Only you can invite people.</p></div>
  ${invitation ? invitationCard(invitation) : ''}
  <ul class="rows">${rows}</ul>
  <form class="inline-form" method="post" action="/account/invitations">
    ${formKeyField(random)}${field({ name: 'invitee', label: 'Invite someone', placeholder: 'Name', required: true, autocomplete: 'off' }, problems)}
    <button class="button" type="submit">${icon('plus')}Create invitation link</button>
  </form>
</section>`;
}

function accountState({ hasHolder, disabledAt }: Account): Html | '' {
  if (disabledAt !== null) return html`<span class="chip is-warning">Disabled</span>`;
  return hasHolder ? '' : html`<span class="chip">Invited</span>`;
}

function invitationCard({ name, link }: Invitation): Html {
  return html`<div class="secret" role="status">
  <p>Send this link to <bdi>${name}</bdi>. It works once, expires in a week, and is shown only once.</p>
  <p class="secret-text"><code>${link}</code></p>
  <div class="actions">${copyButton(link, 'Copy the link')}</div>
</div>`;
}

function deleteForm(problems: Problems): Html {
  return html`<form class="panel-form" method="post" novalidate action="/account/delete">
  <div class="panel-body">
  <p>This happens immediately and cannot be undone:</p>
  <ul class="plain">
    <li>Your short URLs stop working, and their codes are never used again.</li>
    <li>Your links, clicks, imports and API keys are deleted.</li>
    <li>You are signed out everywhere.</li>
  </ul>
  <p>If you want to keep a copy of your links, <a href="/links/export.csv" download>export them</a> first.</p>
  ${field({ name: 'confirmation', label: 'Your password', type: 'password', required: true, autocomplete: 'current-password' }, problems)}
  </div>
  <div class="panel-foot"><button class="button is-danger" type="submit">${icon('trash')}Delete account</button><button class="button" type="button" data-close hidden>Cancel</button></div>
</form>`;
}

const DELETED = html`<div class="card is-centred"><h1>Your account was deleted</h1>
  <p>All its data was deleted, and you were signed out.</p></div>`;
