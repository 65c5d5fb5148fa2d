import { isInvitable } from '../../domain/accounts/names-invitations-sessions.ts';
import { PASSWORD_LENGTH } from '../../domain/accounts/passwords.ts';
import type { Random } from '../../domain/clock-and-random.ts';
import type { Account } from '../../store/sql/account-queries.ts';
import type { Session } from '../../store/sql/session-queries.ts';
import type { DateFormats } from '../components/dates-and-numbers.ts';
import { field, formKeyField, type Problems } from '../components/forms.ts';
import { copyButton, flashMessage, type Html, html, icon } from '../components/html-elements.ts';

export interface AccountView {
  session: Session;
  sessions: Session[];
  /** All accounts, or null if the signed-in user is not the owner. */
  accounts: Account[] | null;
  problems: Problems;
  times: DateFormats;
  random: Random;
  flash?: string;
  /** An invitation that was just created. Its link is displayed only once. */
  invitation?: { name: string; link: string };
}

export function accountView(view: AccountView): Html {
  return html`<div class="page-head"><h1>Account</h1><span class="page-end"><bdi>${view.session.accountName}</bdi></span></div>
${view.flash ? flashMessage(view.flash) : ''}
${passwordForm(view.problems)}
${sessionList(view.sessions, view.session.id, view.times)}
${view.accounts ? accountList(view.accounts, view) : deleteAccount()}`;
}

function deleteAccount(): Html {
  return html`<section class="card" aria-labelledby="delete-title">
  <div><h2 id="delete-title">Delete your account</h2>
  <p class="card-intro">This also deletes all your links and cannot be undone. You will be asked for your password first.</p></div>
  <div class="actions"><a class="button is-danger" href="/account/delete">Delete…</a></div>
</section>`;
}

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

function accountList(accounts: Account[], { problems, invitation, times, random }: AccountView): Html {
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

function invitationCard({ name, link }: { name: string; link: string }): Html {
  return html`<div class="secret" role="status">
  <p>Send this link to <bdi>${name}</bdi>. It works once, expires in a week, and is shown only once.</p>
  <p class="secret-text"><code>${link}</code></p>
  <div class="actions">${copyButton(link, 'Copy the link')}</div>
</div>`;
}
