import { useState } from 'preact/hooks';
import { ConnectionFields, SaveResult } from '../../components/connection-form/connection-form.tsx';
import { type ConnectionForm, NEW } from '../../components/connection-form/connection-forms-store.ts';
import { Toasts } from '../../components/error-toast.tsx';
import { useAutofocus } from '../../components/focus.ts';
import { Icon, Mark } from '../../components/icons.tsx';
import { Notice } from '../../components/notice.tsx';
import { Announcer, ProjectLink } from '../../components/page-shell.tsx';
import { SettingSwitch } from '../../components/setting-switch.tsx';
import { RequestRow, remedyLabel } from '../../components/unfinished-requests.tsx';
import { ShortAddress } from '../../components/url-and-title.tsx';
import { connectionNames, displayUrl } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import { statusAnnounced } from '../../format/status-text.ts';
import { blockRemedies, connectionStatus } from '../../queue/status.ts';
import type { BlockReason, Connection, Queue } from '../../queue/types.ts';
import { capabilitiesOf } from '../../servers/capabilities.ts';
import type { FirstLink, WelcomeStore } from './welcome-store.ts';

/** Page for new users. It helps them connect a server, then create the first link. */
export function WelcomePage({ store }: { store: WelcomeStore }) {
  const queue = store.queue.value;
  const form = store.forms.formOf(queue?.connection.id ?? NEW);
  const isConnected = queue !== null && connectionStatus(queue) === 'connected';
  const copied = store.copied.value === null ? '' : t('copiedNamed', store.copied.value);
  const announced = (store.flash.value?.text ?? copied) || store.announced.value;
  return (
    <main class={`page welcome ${queue ? '' : 'is-wide'}`}>
      <header class="welcome-head">
        <Mark />
        <h1>{t(isConnected ? 'welcomeConnected' : 'welcomeTitle')}</h1>
        {queue ? <ServerName queue={queue} isConnected={isConnected} /> : <p>{t('welcomeIntro')}</p>}
      </header>
      {queue ? (
        <>
          {!isConnected && <SaveResult results={form.results} />}
          {queue.state.blocked ? (
            <BlockedCard blocked={queue.state.blocked} connection={queue.connection} store={store} />
          ) : (
            <FirstLinkCard store={store} />
          )}
          <MoreSettings connection={queue.connection} store={store} />
        </>
      ) : (
        <ConnectCards form={form} />
      )}
      <Toasts flash={store.flash} />
      <Announcer text={announced} />
    </main>
  );
}

function ServerName({ queue, isConnected }: { queue: Queue; isConnected: boolean }) {
  return (
    <p class="welcome-server">
      {isConnected && <span class="dot is-good" aria-hidden="true" />}
      <bdi>{connectionNames([queue.connection]).get(queue.connection.id)}</bdi>
    </p>
  );
}

/** Command that starts a server on this computer and prints its connection link. */
export const TRY = 'npm ci && npm start';

/** Two equally prominent choices: connect a server, or read how to get one. */
function ConnectCards({ form }: { form: ConnectionForm }) {
  return (
    <div class="welcome-choices">
      <section class="card" aria-labelledby="have-title">
        <h2 id="have-title">{t('welcomeHave')}</h2>
        <ConnectionFields form={form} queue={null} named={false} />
        <SaveResult results={form.results} />
      </section>
      <section class="card" aria-labelledby="none-title">
        <h2 id="none-title">{t('welcomeNoServer')}</h2>
        <p>{t('welcomeNeeds')}</p>
        <p>{t('welcomeTry')}</p>
        <pre dir="ltr">{TRY}</pre>
        <p>{t('welcomeWorks')}</p>
        <ProjectLink />
      </section>
    </div>
  );
}

interface MoreSettingsProps {
  connection: Connection;
  store: WelcomeStore;
}

/** Settings that new users may want to change. */
function MoreSettings({ connection, store }: MoreSettingsProps) {
  return (
    <section class="welcome-more" aria-labelledby="more-title">
      <h2 id="more-title">{t('welcomeMore')}</h2>
      <div class="card is-list">
        {store.toolbar !== 'none' && (
          <div class="setting">
            <div>
              <p class="setting-name">{t('welcomePin')}</p>
              <p class="help">{t(`welcomePin_${store.toolbar}`)}</p>
            </div>
          </div>
        )}
        <SettingSwitch name="notifications" store={store.settings} />
        {capabilitiesOf(connection).title && <SettingSwitch name="saveTitles" store={store.settings} />}
      </div>
    </section>
  );
}

/** Shows the reason why a connected server cannot be used, with a button for the next step. */
function BlockedCard({ blocked, connection, store }: MoreSettingsProps & { blocked: BlockReason }) {
  const [remedy] = blockRemedies(blocked);
  return (
    <section class="card" aria-label={t('actionNeeded')}>
      <Notice icon="warning" tone="is-danger" text={t(`block_${blocked}`, displayUrl(connection.baseUrl).host)} />
      <div class="actions">
        {remedy && (
          <button type="button" class="button is-primary" onClick={() => store.apply(remedy, connection)}>
            {remedyLabel(remedy)}
          </button>
        )}
      </div>
    </section>
  );
}

const EXAMPLE = 'https://en.wikipedia.org/wiki/URL_shortening';

/**
 * Form that creates the user's first link, and then shows its short URL. The form creates a real link on the server.
 */
function FirstLinkCard({ store }: { store: WelcomeStore }) {
  const { shortcut, shorten } = store;
  const firstLink = store.firstLink.value;
  const isAsking = store.isAsking.value;
  const [text, setText] = useState(EXAMPLE);
  const isDone = firstLink.kind === 'done';
  const state = firstLink.kind === 'pending' ? firstLink.listed.status.kind : firstLink.kind;
  // When the buttons of the previous state disappear, the field receives focus.
  const field = useAutofocus<HTMLInputElement>(state, !isDone);
  const hasFailed = firstLink.kind === 'pending' && firstLink.listed.status.kind === 'failed';
  const isBusy = isAsking || (firstLink.kind === 'pending' && !hasFailed);
  return (
    <section class="card" aria-labelledby="first-link-title">
      <h2 id="first-link-title">{t(isDone ? 'welcomeFirstReady' : 'welcomeFirst')}</h2>
      {!isDone && (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!isBusy) void shorten(text);
          }}
        >
          <label class="visually-hidden" for="first-link">
            {t('welcomeFirstLabel')}
          </label>
          <div class="field-row">
            <input
              id="first-link"
              ref={field}
              class="input"
              type="url"
              inputMode="url"
              autocomplete="off"
              spellcheck={false}
              dir="ltr"
              value={text}
              // The example is selected on focus, so that typing or pasting replaces it.
              onFocus={({ currentTarget }) => text === EXAMPLE && currentTarget.select()}
              onInput={(event) => setText(event.currentTarget.value)}
            />
            <button type="submit" class="button is-primary" aria-disabled={isBusy} aria-busy={isAsking}>
              {t('shorten')}
            </button>
          </div>
        </form>
      )}
      <div class="connecting-result">
        {firstLink.kind === 'problem' && <Notice icon="warning" tone="is-danger" text={firstLink.text} />}
        {firstLink.kind === 'pending' && (
          <div class="row">
            <RequestRow listed={firstLink.listed} common={null} store={store} />
          </div>
        )}
        {firstLink.kind === 'done' && <Result shortUrl={firstLink.link.shortUrl} store={store} />}
      </div>
      {isDone && <p class="help">{shortcut ? t('welcomeEndKeys', shortcut) : t('welcomeEnd')}</p>}
      <Announcer text={outcomeAnnounced(firstLink)} />
    </section>
  );
}

/** Returns the result for a screen reader, without the countdowns in the visible text. */
function outcomeAnnounced(firstLink: FirstLink): string {
  if (firstLink.kind === 'problem') return firstLink.text;
  if (firstLink.kind === 'done') return t('ready', firstLink.link.shortUrl);
  if (firstLink.kind === 'none') return '';
  const { status, request } = firstLink.listed;
  return statusAnnounced(status, request.problem);
}

/** The short URL with its buttons. The first button gets the focus, because the form disappears. */
function Result({ shortUrl, store }: { shortUrl: string; store: WelcomeStore }) {
  const copyButton = useAutofocus<HTMLButtonElement>();
  const isCopied = store.copied.value === shortUrl;
  return (
    <>
      <p class="welcome-link">
        <ShortAddress url={shortUrl} />
      </p>
      <div class="actions">
        <button ref={copyButton} type="button" class="button is-primary" onClick={() => void store.copy(shortUrl)}>
          <Icon name={isCopied ? 'check' : 'copy'} />
          {t(isCopied ? 'copied' : 'copy')}
        </button>
        <button type="button" class="button" onClick={() => store.open(shortUrl)}>
          <Icon name="open" />
          {t('open')}
        </button>
      </div>
    </>
  );
}
