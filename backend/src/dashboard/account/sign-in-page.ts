import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { PageContext, Pages, Services } from '../../api/services.ts';
import { accountNameProblem, nameKey, normalizeName } from '../../domain/accounts/names-invitations-sessions.ts';
import { hashPassword, PASSWORD_LENGTH, passwordProblem, verifyPassword } from '../../domain/accounts/passwords.ts';
import { type Clock, hashToken, isToken } from '../../domain/clock-and-random.ts';
import { type Throttle, takeFromThrottle } from '../../domain/limits/throttle.ts';
import { clientNetwork } from '../../http/client-address.ts';
import { type Account, FIRST_ACCOUNT } from '../../store/sql/account-queries.ts';
import { formatCount } from '../components/dates-and-numbers.ts';
import { collectProblems, type Form, field, type Problems, readForm } from '../components/forms.ts';
import { type Html, html } from '../components/html-elements.ts';
import { page } from '../components/layout.ts';
import { currentSession, endSession, isAccountOf, readProxyUser, startSession } from '../sessions.ts';

/** Limit for one client and one user name: bursts of 8 attempts, then one attempt per minute. */
const PER_PAIR: Throttle = { perSecond: 1 / 60, burst: 8 };
/**
 * Limit for one user name across all clients: bursts of 100 attempts, then four per minute. At this rate, guessing a
 * million passwords takes 174 days.
 */
const PER_NAME: Throttle = { perSecond: 1 / 15, burst: 100 };
/** Limit for one client across all user names: bursts of 20 attempts, then 12 per minute. */
const PER_CLIENT: Throttle = { perSecond: 1 / 5, burst: 20 };

const MAX_REMEMBERED = 20_000;

export interface SignInLimit {
  /**
   * Counts one attempt to enter a password. All pages that ask for a password share the same limits. Returns 0 if the
   * attempt is allowed. Otherwise, returns the number of seconds to wait.
   */
  attempt(nameKey: string, client: string): number;
  /**
   * Remembers that a client has signed in with this user name. The limit per user name no longer applies to this
   * client. Otherwise, attackers on other networks could use up the limit and lock out the user.
   */
  remember(nameKey: string, client: string): void;
}

/** Limits attempts to sign in. Unknown user names count too, so that the limit does not reveal which names exist. */
export function createSignInLimit(clock: Clock): SignInLimit {
  const pairs = createLimiter(PER_PAIR, clock);
  const names = createLimiter(PER_NAME, clock);
  const clients = createLimiter(PER_CLIENT, clock);
  const known = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  const keyOf = (nameKey: string, client: string) => hashText(JSON.stringify([nameKey, client]));
  return {
    attempt(nameKey, client) {
      const pair = keyOf(nameKey, client);
      const limits: [Limiter, string][] = [
        [clients, hashText(client)],
        [pairs, pair],
      ];
      if (!known.get(pair)) limits.push([names, hashText(nameKey)]);
      // A refused attempt counts against none of the limits, and the user must wait for the slowest one.
      const wait = Math.max(...limits.map(([limiter, key]) => limiter.waitFor(key)));
      if (wait === 0) for (const [limiter, key] of limits) limiter.count(key);
      return wait;
    },
    remember: (nameKey, client) => void known.set(keyOf(nameKey, client), true),
  };
}

export function tooManyAttemptsMessage(wait: number): string {
  return `Too many attempts. Wait ${formatCount(wait, 'second')} and try again.`;
}

type Limiter = ReturnType<typeof createLimiter>;

function createLimiter(throttle: Throttle, clock: Clock) {
  const dueAt = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  const attempt = (key: string) => takeFromThrottle(throttle, dueAt.get(key) ?? 0, clock());
  return {
    /** Returns the number of seconds until the next attempt is allowed. */
    waitFor: (key: string) => attempt(key).retryAfter,
    count: (key: string) => dueAt.set(key, attempt(key).dueAt),
  };
}

/** Hashes a cache key. Otherwise, a password that a user typed into the name field by mistake would stay in memory. */
function hashText(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/** Path of the page that opens after sign-in, unless the user requested another page. */
const HOME_PATH = '/overview';

export function addSignInPages(pages: Pages, services: Services, signInLimit: SignInLimit): void {
  const { accounts } = services.store;

  pages.get('/', async (context) => {
    // Browsers keep the fragment of the URL in a redirect. The API key in a connection link (`#key=…`) is
    // therefore not lost.
    return context.redirect((await currentSession(context, services)) ? HOME_PATH : '/sign-in', 303);
  });
  pages.get('/sign-in', async (context) => {
    const next = dashboardPath(context.req.query('next'));
    if (await currentSession(context, services)) return context.redirect(next, 303);
    const isOpen = (await accounts.list()).some(({ hasHolder }) => hasHolder);
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
