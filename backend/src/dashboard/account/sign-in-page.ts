import { accountNameProblem, nameKey, normalizeName } from '../../domain/accounts/names-invitations-sessions.ts';
import { verifyPassword } from '../../domain/accounts/passwords.ts';
import { clientNetwork } from '../../http/client-address.ts';
import { FIRST_ACCOUNT } from '../../store/sql/account-queries.ts';
import { field, type Problems, readForm } from '../components/forms.ts';
import { type Html, html } from '../components/html-elements.ts';
import { page } from '../components/layout.ts';
import type { Pages, Services } from '../services.ts';
import { currentSession, endSession, readProxyUser, startSession } from '../sessions.ts';
import { type SignInLimit, tooManyAttemptsMessage } from './sign-in-limit.ts';

/** Path of the page that opens after sign-in, unless the user requested another page. */
const HOME_PATH = '/overview';

export function addSignInPages(pages: Pages, services: Services, signInLimit: SignInLimit): void {
  const { accounts } = services.store;

  /**
   * True if at least one account is set up, so that a user can sign in. Checks the owner's account first, because it
   * is usually set up.
   */
  async function hasHolder(): Promise<boolean> {
    if (await accounts.credentialsOf(FIRST_ACCOUNT)) return true;
    return (await accounts.list()).some((account) => account.hasHolder);
  }

  pages.get('/', async (context) => {
    // Browsers keep the fragment of the URL in a redirect. The API key in a connection link (`#key=…`) is
    // therefore not lost.
    return context.redirect((await currentSession(context, services)) ? HOME_PATH : '/sign-in', 303);
  });
  pages.get('/sign-in', async (context) => {
    const next = dashboardPath(context.req.query('next'));
    if (await currentSession(context, services)) return context.redirect(next, 303);
    const isOpen = await hasHolder();
    return page(context, { ...VIEW, body: isOpen ? signInForm({ next, name: '' }) : notSetUpView() });
  });
  pages.post('/sign-in', async (context) => {
    const sent = await readForm(context);
    const [name, next] = [sent.text('name').slice(0, 200), dashboardPath(sent.text('next'))];
    const [key, client] = [nameKey(name), clientNetwork(context.env.incoming, services.trustedProxies)];
    const isName = accountNameProblem(normalizeName(name)) === null;
    // Reads the account before `signInLimit` counts the attempt. If the database is unavailable, the attempt is
    // not counted.
    const credentials = isName ? await accounts.credentials(key) : null;
    const wait = signInLimit.attempt(key, client);
    if (wait > 0) {
      context.header('Retry-After', String(wait));
      const problem = tooManyAttemptsMessage(wait);
      return page(context, { ...VIEW, status: 429, body: signInForm({ next, name, problem }) });
    }
    const isRight = await verifyPassword(sent.text('password'), credentials?.password ?? null);
    if (!isRight || !credentials || !(await startSession(context, services, credentials))) {
      const problem = 'Wrong name or password. Try again.';
      return page(context, { ...VIEW, status: 400, body: signInForm({ next, name, problem }) });
    }
    signInLimit.remember(key, client);
    return context.redirect(next, 303);
  });
  pages.post('/sign-out', async (context) => {
    const session = await currentSession(context, services);
    if (session) await endSession(context, services, session);
    if (readProxyUser(context, services) !== null) return page(context, { ...VIEW, body: proxySignOutView() });
    return context.redirect('/sign-in', 303);
  });
}

const VIEW = { title: 'Sign in', section: null, isNarrow: true } as const;

/**
 * Returns the path if it belongs to the dashboard. Otherwise returns the path of the home page, because a forged link
 * to the sign-in page could contain any URL.
 */
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

function proxySignOutView(): Html {
  return html`<div class="card is-centred">
  <h1>Sign out where you signed in</h1>
  <p>You did not sign in here: a sign-in service in front of this server did it for you. Sign out there, or close your browser.</p>
  <div class="actions"><a class="button" href="/overview">Go to the dashboard</a></div>
</div>`;
}

function notSetUpView(): Html {
  return html`<div class="card">
  <h1>Set up this server first</h1>
  <p>When the server started, it printed a setup link. Open it to choose your name and password.</p>
  <p class="help">If you no longer have the link, restart the server to get a new one.</p>
</div>`;
}
