import { accountNameProblem, nameKey, normalizeName } from '../../domain/accounts/account-rules.ts';
import { verifyPassword } from '../../domain/accounts/passwords.ts';
import { clientNetwork } from '../../http/client-address.ts';
import { FIRST_ACCOUNT } from '../../store/interface/store.ts';
import { field, type Problems, readForm } from '../components/forms.ts';
import { type Html, html } from '../components/html-elements.ts';
import { page } from '../components/layout.ts';
import type { Page, Services } from '../page-definition.ts';
import { currentSession, endSession, startSession } from '../sessions.ts';
import { createSignInLimit, tooManyAttemptsMessage } from './sign-in-limit.ts';

/** Where to go after the sign-in where no page was asked for. */
const HOME_PATH = '/overview';

export function signInPages(services: Services): Page[] {
  const { accounts } = services.store;
  const loginLimiter = createSignInLimit(services.clock);

  /** Whether anybody can sign in at all. Asked at every visit, so the usual answer costs one look-up. */
  async function hasHolder(): Promise<boolean> {
    if (await accounts.credentialsOf(FIRST_ACCOUNT)) return true;
    return (await accounts.list()).some((account) => account.hasHolder);
  }

  return [
    {
      method: 'GET',
      path: '/',
      access: 'open',
      async handle(context) {
        // A browser takes the fragment of a connection link along to where it is sent.
        return context.redirect((await currentSession(context, services)) ? HOME_PATH : '/sign-in', 303);
      },
    },
    {
      method: 'GET',
      path: '/sign-in',
      access: 'open',
      async handle(context) {
        const next = dashboardPath(context.req.query('next'));
        if (await currentSession(context, services)) return context.redirect(next, 303);
        const isOpen = await hasHolder();
        return page(context, { ...VIEW, body: isOpen ? signInForm({ next, name: '' }) : notSetUpView() });
      },
    },
    {
      method: 'POST',
      path: '/sign-in',
      access: 'open',
      async handle(context) {
        const sent = await readForm(context);
        const [name, next] = [sent.text('name').slice(0, 200), dashboardPath(sent.text('next'))];
        const [key, client] = [nameKey(name), clientNetwork(context, services)];
        const wait = loginLimiter.attempt(key, client);
        if (wait > 0) {
          context.header('Retry-After', String(wait));
          const problem = tooManyAttemptsMessage(wait);
          return page(context, { ...VIEW, status: 429, body: signInForm({ next, name, problem }) });
        }
        const password = sent.text('password');
        const isName = accountNameProblem(normalizeName(name)) === null;
        const credentials = isName ? await accounts.credentials(key) : null;
        const isRight = await verifyPassword(password, credentials?.password ?? null);
        if (!isRight || !credentials || !(await startSession(context, services, credentials))) {
          const problem = 'The name or the password is wrong.';
          return page(context, { ...VIEW, status: 400, body: signInForm({ next, name, problem }) });
        }
        loginLimiter.remember(key, client);
        return context.redirect(next, 303);
      },
    },
    {
      method: 'POST',
      path: '/sign-out',
      access: 'open',
      async handle(context) {
        const session = await currentSession(context, services);
        if (session) await endSession(context, services, session);
        return context.redirect('/sign-in', 303);
      },
    },
  ];
}

const VIEW = { title: 'Sign in', section: null, isNarrow: true } as const;

/** The page to go to, as long as it is one of ours; a link to the sign-in page can name anything. */
function dashboardPath(text: string | undefined): string {
  return text && /^\/(overview|links|keys|account)(?:[/?][\x21-\x7e]*)?$/.test(text) && !text.includes('\\')
    ? text
    : HOME_PATH;
}

function signInForm({ next, name, problem }: { next: string; name: string; problem?: string }): Html {
  const problems: Problems = problem ? { password: problem } : null;
  return html`<form class="card" method="post" novalidate action="/sign-in">
  <h1>Sign in</h1>
  <input type="hidden" name="next" value="${next}">
  ${field({ name: 'name', label: 'Name', value: name, required: true, autocomplete: 'username', autofocus: true }, problems)}
  ${field({ name: 'password', label: 'Password', type: 'password', required: true, autocomplete: 'current-password' }, problems)}
  <button class="button is-primary is-large" type="submit">Sign in</button>
</form>`;
}

function notSetUpView(): Html {
  return html`<div class="card">
  <h1>Almost there</h1>
  <p>This service is not set up yet. When it started, it printed a setup link: open it to choose your name and password.</p>
  <p class="help">If you no longer have the link, restart the service: it prints a new one.</p>
</div>`;
}
