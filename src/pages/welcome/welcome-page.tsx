import { ConnectionFields, SaveResult } from '../../components/connection-form/connection-form.tsx';
import { type ConnectionForm, NEW } from '../../components/connection-form/connection-forms-store.ts';
import { Toasts } from '../../components/error-toast.tsx';
import { Icon, Mark } from '../../components/icons.tsx';
import { Notice } from '../../components/notice.tsx';
import { Announcer, ProjectLink } from '../../components/page-shell.tsx';
import { SettingSwitch } from '../../components/setting-switch.tsx';
import { remedyLabel } from '../../components/unfinished-requests.tsx';
import { connectionNames, displayUrl } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import { blockRemedies, connectionStatus } from '../../queue/status.ts';
import type { BlockReason, Connection, Queue } from '../../queue/types.ts';
import { capabilitiesOf } from '../../servers/capabilities.ts';
import { FirstLinkCard } from './first-link-card.tsx';
import type { WelcomeStore } from './welcome-store.ts';

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
            <FirstLinkCard queue={queue} store={store} />
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
        <p>{t('welcomeWorks')}</p>
        <ProjectLink />
        {/* The guide opens in a new tab, so that the form keeps the user's input. */}
        <a class="button" href="../hosting/index.html" target="_blank" rel="noreferrer">
          <Icon name="open" />
          {t('hostingGuide')}
        </a>
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
