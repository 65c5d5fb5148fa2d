import { canBeInvited } from '../../domain/accounts.ts';
import { PASSWORD_LENGTH } from '../../domain/passwords.ts';
import type { Account, Session } from '../../store/account-store.ts';
import type { Problems } from '../form.ts';
import { type Html, html } from '../html.ts';
import { copyButton } from '../parts/copy.ts';
import { field } from '../parts/field.ts';
import { flashMessage } from '../parts/flash-message.ts';
import { icon } from '../parts/icon.ts';
import { day, minute } from '../parts/time.ts';

export interface AccountView {
  session: Session;
  sessions: Session[];
  /** Everybody's, where the owner looks. */
  accounts: Account[] | null;
  problems: Problems;
  flash?: string;
  /** One made just now; its link is not shown again. */
  invitation?: { name: string; link: string };
}

export function accountView(view: AccountView): Html {
  return html`<div class="page-head"><h1>Account</h1><span class="page-end"><bdi>${view.session.accountName}</bdi></span></div>
${view.flash ? flashMessage(view.flash) : ''}
${passwordForm(view.problems)}
${sessionList(view.sessions, view.session.id)}
${view.accounts ? accountList(view.accounts, view) : ending()}`;
}

function ending(): Html {
  return html`<section class="card" aria-labelledby="ending-title">
  <div><h2 id="ending-title">Delete your account</h2>
  <p class="card-intro">With all its links, for ever. You are asked for your password first.</p></div>
  <div class="actions"><a class="button is-danger" href="/account/delete">Delete…</a></div>
</section>`;
}

function passwordForm(problems: Problems): Html {
  const fresh = { type: 'password', required: true, autocomplete: 'new-password' } as const;
  const current = { type: 'password', required: true, autocomplete: 'current-password' } as const;
  const help = `At least ${PASSWORD_LENGTH.least} characters.`;
  return html`<form class="card" method="post" novalidate action="/account/password">
  <h2>Change your password</h2>
  ${field({ name: 'current', label: 'Password now', ...current }, problems)}
  ${field({ name: 'password', label: 'New password', help, ...fresh }, problems)}
  ${field({ name: 'again', label: 'New password again', ...fresh }, problems)}
  <div class="actions"><button class="button is-primary" type="submit">Change the password</button></div>
</form>`;
}

function sessionList(sessions: Session[], current: number): Html {
  const rows = sessions.map(
    ({ id, device, createdAt, lastUsedAt }) => html`<li class="row">
    <div class="row-text">
      <p class="row-title">${device} ${id === current ? html`<span class="chip is-good">This one</span>` : ''}</p>
      <p class="row-note">Signed in ${minute(createdAt)} · last used ${minute(lastUsedAt)}</p>
    </div>
    ${id === current ? '' : html`<form method="post" action="/account/sessions/${id}/end"><button class="button is-danger" type="submit" aria-label="End the session of ${device}">End</button></form>`}
  </li>`,
  );
  return html`<section class="card" aria-labelledby="sessions-title">
  <div><h2 id="sessions-title">Where you are signed in</h2>
  <p class="card-intro">A session ends by itself after a week unused, or a month in all. No IP addresses are kept.</p></div>
  <ul class="rows">${rows}</ul>
</section>`;
}

function accountList(accounts: Account[], { problems, invitation }: AccountView): Html {
  const rows = accounts.map(
    (account) => html`<li class="row">
    <div class="row-text"><p class="row-title"><bdi>${account.name}</bdi> ${stateOf(account)}</p>
    ${account.createdAt > 0 ? html`<p class="row-note">Since ${day(account.createdAt)}</p>` : ''}</div>
    ${canBeInvited(account) ? html`<form method="post" action="/account/invitations/${account.id}"><button class="button" type="submit" aria-label="New link for ${account.name}">New link</button></form>` : ''}
  </li>`,
  );
  return html`<section class="card" aria-labelledby="accounts-title">
  <div><h2 id="accounts-title">Accounts</h2>
  <p class="card-intro">Each account has its own keys and links, and sees nobody else’s. Only you can invite.</p></div>
  ${invitation ? invitationCard(invitation) : ''}
  <ul class="rows">${rows}</ul>
  <form class="inline-form" method="post" action="/account/invitations">
    ${field({ name: 'invitee', label: 'Invite somebody', placeholder: 'Their name', required: true, autocomplete: 'off' }, problems)}
    <button class="button" type="submit">${icon('plus')}Make an invitation link</button>
  </form>
</section>`;
}

function stateOf({ hasHolder, disabledAt }: Account): Html | '' {
  if (disabledAt !== null) return html`<span class="chip is-warning">Disabled</span>`;
  return hasHolder ? '' : html`<span class="chip">Invited</span>`;
}

function invitationCard({ name, link }: { name: string; link: string }): Html {
  return html`<div class="secret" role="status">
  <p>Send this link to <bdi>${name}</bdi>. It works once, within a week, and is shown only now.</p>
  <p class="secret-text"><code>${link}</code></p>
  <div class="actions">${copyButton(link, 'Copy the link')}</div>
</div>`;
}
