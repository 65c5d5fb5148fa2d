import type { Connection as ConnectionLink } from '@terse/contract/connection-link';
import { ConnectionTestResult } from '../../components/connection-form/connection-test-result.tsx';
import { useConnectionForm } from '../../components/connection-form/use-connection-form.ts';
import type { Clipboard } from '../../components/copy-button.tsx';
import { ErrorToast, type FlashMessage } from '../../components/error-toast.tsx';
import { Mark } from '../../components/icons.tsx';
import { Notice } from '../../components/notice.tsx';
import { Announcer } from '../../components/page-shell.tsx';
import { ToggleSwitch } from '../../components/toggle-switch.tsx';
import { connectionNames, displayUrl } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import { connectionStatus } from '../../queue/status/connection-status.ts';
import { quotaLeft } from '../../queue/status/request-status.ts';
import type { BlockReason, Connection, Queue } from '../../queue/types.ts';
import { capabilitiesOf } from '../../servers/capabilities.ts';
import type { Settings } from '../../storage/settings.ts';
import { ConnectCards } from './connect-cards.tsx';
import { FirstLinkCard } from './first-link-card.tsx';
import { PinToolbar } from './pin-toolbar.tsx';
import type { FirstLink } from './use-first-link.ts';
import type { Toolbar, WelcomeActions } from './use-welcome-actions.ts';

export interface WelcomeProps {
  /** Queue of the default connection. Null if there is none. */
  queue: Queue | null;
  /** Connection described by the connection link that opened this page, or null. */
  offered: ConnectionLink | null;
  settings: Pick<Settings, 'notifications' | 'saveTitles'>;
  toolbar: Toolbar;
  /** True if the icon is pinned to the toolbar. Null if the browser does not report this. */
  pinned: boolean | null;
  /** Keyboard shortcut that opens the popup; empty if there is none. */
  shortcut: string;
  firstLink: FirstLink;
  isAsking: boolean;
  shorten: (text: string) => void;
  askAgain: () => void;
  flash: FlashMessage | null;
  dismissFlash: () => void;
  now: number;
  clipboard: Clipboard;
  handlers: WelcomeActions;
}

/** Page for new users. It helps them connect a server, then create the first link. */
export function WelcomePage(props: WelcomeProps) {
  const { queue, offered, flash, clipboard, handlers } = props;
  const connecting = useConnectionForm(queue, offered, handlers);
  const isConnected = queue !== null && connectionStatus(queue) === 'connected';
  const announced = flash?.text ?? (clipboard.copied === null ? '' : t('copiedNamed', clipboard.copied));
  return (
    <main class={`page welcome ${queue ? '' : 'is-wide'}`}>
      <header class="welcome-head">
        <Mark />
        <h1>{t(isConnected ? 'welcomeConnected' : 'welcomeTitle')}</h1>
        {queue ? <ServerName queue={queue} isConnected={isConnected} /> : <p>{t('welcomeIntro')}</p>}
      </header>
      {queue ? (
        <>
          {!isConnected && connecting.phase.kind === 'probed' && (
            <ConnectionTestResult phase={connecting.phase} paused={queue.state.paused === true} />
          )}
          <Connected {...props} queue={queue} />
        </>
      ) : (
        <ConnectCards connecting={connecting} />
      )}
      <div class="toasts">{flash && <ErrorToast flash={flash} dismiss={props.dismissFlash} />}</div>
      <Announcer text={announced || (isConnected ? t('welcomeConnected') : '')} />
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

function Connected(props: WelcomeProps & { queue: Queue }) {
  const { queue, settings, toolbar, pinned, now, handlers } = props;
  return (
    <>
      {queue.state.blocked ? (
        <BlockedCard blocked={queue.state.blocked} connection={queue.connection} handlers={handlers} />
      ) : (
        <FirstLinkCard
          firstLink={props.firstLink}
          quota={quotaLeft(queue, now)}
          isAsking={props.isAsking}
          shortcut={props.shortcut}
          now={now}
          clipboard={props.clipboard}
          shorten={props.shorten}
          askAgain={props.askAgain}
          handlers={handlers}
        />
      )}
      <section class="welcome-more" aria-labelledby="more-title">
        <h2 id="more-title">{t('welcomeMore')}</h2>
        <div class="card setting-rows">
          {toolbar !== 'none' && <PinToolbar toolbar={toolbar} pinned={pinned} />}
          <ToggleSwitch
            id="notifications"
            label={t('notifications')}
            help={t('notificationsHelp')}
            on={settings.notifications}
            set={handlers.setNotifications}
          />
          {capabilitiesOf(queue.connection).title && (
            <ToggleSwitch
              id="save-titles"
              label={t('saveTitles')}
              help={t('saveTitlesHelp')}
              on={settings.saveTitles}
              set={(saveTitles) => handlers.change({ saveTitles })}
            />
          )}
        </div>
      </section>
    </>
  );
}

interface BlockedCardProps {
  blocked: BlockReason;
  connection: Connection;
  handlers: WelcomeActions;
}

/** Shows the reason why a connected server cannot be used, with a button for the next step. */
function BlockedCard({ blocked, connection, handlers }: BlockedCardProps) {
  return (
    <section class="card" aria-label={t('actionNeeded')}>
      <Notice icon="warning" tone="is-danger" text={t(`block_${blocked}`, displayUrl(connection.baseUrl).host)} />
      <div class="actions">
        {blocked === 'permission' ? (
          <button type="button" class="button is-primary" onClick={() => handlers.allowAccess(connection)}>
            {t('allow')}
          </button>
        ) : (
          <button type="button" class="button is-primary" onClick={handlers.openOptions}>
            {t('openOptions')}
          </button>
        )}
      </div>
    </section>
  );
}
