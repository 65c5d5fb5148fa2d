import type { MiddlewareHandler } from 'hono';
import {
  accountNameProblem,
  createInvitation,
  invitationLink,
  isInvitable,
  isSessionValid,
  nameKey,
  normalizeName,
} from '../../domain/accounts/names-invitations-sessions.ts';
import { hashPassword, passwordProblem, verifyPassword } from '../../domain/accounts/passwords.ts';
import { ApiError } from '../../http/api-error.ts';
import { clientNetwork } from '../../http/client-address.ts';
import type { Account } from '../../store/sql/account-queries.ts';
import { FIRST_ACCOUNT } from '../../store/sql/account-queries.ts';
import { readerDateFormats } from '../components/dates-and-numbers.ts';
import { collectProblems, type Problems, readForm, submissionHash } from '../components/forms.ts';
import { page } from '../components/layout.ts';
import type { PageContext, PageEnv, Pages, Services } from '../services.ts';
import { startSession } from '../sessions.ts';
import { accountView } from './account-view.ts';
import { type SignInLimit, tooManyAttemptsMessage } from './sign-in-limit.ts';

const WRONG_PASSWORD = 'This is not your current password. Try again.';

/**
 * Account page with the user's password and sessions. The owner of the server also sees all accounts and can invite
 * users.
 */
export function addAccountPages(pages: Pages, services: Services, signInLimit: SignInLimit): void {
  const { store, clock, random, baseUrl } = services;

  async function show(
    context: PageContext,
    more: { problems?: Problems; flash?: string; invitation?: { name: string; link: string } } = {},
    status: 200 | 400 | 429 = 200,
  ) {
    const { session } = context.var;
    const stored = await store.sessions.list(session.accountId);
    // Expired sessions may still be stored, because the maintenance job deletes them later.
    const sessions = stored.filter((session) => isSessionValid(session, clock()));
    const accounts = session.accountId === FIRST_ACCOUNT ? await store.accounts.list() : null;
    const body = accountView({
      session,
      sessions,
      accounts,
      problems: null,
      times: readerDateFormats(context),
      random,
      ...more,
    });
    return page(context, { title: 'Account', section: 'account', body, status });
  }

  async function invite(context: PageContext, { id, name }: Account) {
    const { token, stored } = createInvitation(random, id, clock());
    await store.accounts.invite(stored);
    return show(context, { invitation: { name, link: invitationLink(baseUrl, token) } });
  }

  pages.get('/account', (context) =>
    show(
      context,
      context.req.query('done') === 'password'
        ? {
            flash:
              'Your password was changed. You were signed out on all other devices, and links to reset the password no longer work.',
          }
        : {},
    ),
  );
  pages.post('/account/password', async (context) => {
    const { accountId, accountName, id } = context.var.session;
    const form = await readForm(context);
    const credentials = await store.accounts.credentialsOf(accountId);
    const wait = signInLimit.attempt(
      nameKey(accountName),
      clientNetwork(context.env.incoming, services.trustedProxies),
    );
    if (wait > 0) return show(context, { problems: { current: tooManyAttemptsMessage(wait) } }, 429);
    const isRight = await verifyPassword(form.text('current'), credentials?.password ?? null);
    const password = form.text('password');
    const problems = collectProblems({
      current: isRight ? null : WRONG_PASSWORD,
      password: isRight ? await passwordProblem(password, accountName) : null,
      again: password === form.text('again') ? null : 'The passwords do not match.',
    });
    if (problems || !credentials) return show(context, { problems }, 400);
    const hash = await hashPassword(password, random);
    const change = { accountId, verified: credentials.password, password: hash, keptSession: id, now: clock() };
    const changed = await store.accounts.changePassword(change);
    if (!changed) return show(context, { problems: { current: WRONG_PASSWORD } }, 400);
    // Replaces this browser's session, so that a stolen session cookie no longer works.
    if (!(await startSession(context, services, { accountId, password: hash }))) {
      return context.redirect('/sign-in', 303);
    }
    return context.redirect('/account?done=password', 303);
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
}

const requireOwner: MiddlewareHandler<PageEnv> = async (context, next) => {
  if (context.var.session.accountId !== FIRST_ACCOUNT) throw new ApiError('forbidden');
  await next();
};
