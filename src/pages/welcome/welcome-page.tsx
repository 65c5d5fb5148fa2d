import type { Clipboard } from '../../components/copy-button.tsx';
import { ErrorToast, type FlashMessage } from '../../components/error-toast.tsx';
import { Mark } from '../../components/icons.tsx';
import { Announcer } from '../../components/page-shell.tsx';
import { ToggleSwitch } from '../../components/toggle-switch.tsx';
import { t } from '../../format/i18n.ts';
import { connectionStatus } from '../../queue/status/connection-status.ts';
import type { Queue } from '../../queue/types.ts';
import type { Settings } from '../../storage/settings.ts';
import { ConnectStep } from './connect-step.tsx';
import { type FirstLink, FirstLinkStep } from './first-link-step.tsx';
import { PinToolbarStep } from './pin-toolbar-step.tsx';
import type { Toolbar, WelcomeActions } from './use-welcome-actions.ts';
import { Step } from './welcome-step.tsx';

export interface WelcomeProps {
  /** Queue of the default connection. Null if there is none. */
  queue: Queue | null;
  settings: Pick<Settings, 'notifications' | 'autoCopy'>;
  toolbar: Toolbar;
  /** Null if the browser does not report it. */
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

/** Page for new users: explains the extension and leads to the first link. */
export function WelcomePage(props: WelcomeProps) {
  const { queue, settings, toolbar, pinned, shortcut, firstLink, flash, now, clipboard, handlers } = props;
  const hasToolbar = toolbar !== 'none';
  const status = queue && connectionStatus(queue);
  return (
    <main class="page">
      <header class="page-head">
        <Mark />
        <h1>{t('welcomeTitle')}</h1>
      </header>
      <p class="welcome-intro">{t('welcomeIntro')}</p>
      <ol class="welcome-steps">
        <ConnectStep queue={queue} now={now} clipboard={clipboard} handlers={handlers} />
        {hasToolbar && <PinToolbarStep at={2} toolbar={toolbar} pinned={pinned} />}
        <Step at={hasToolbar ? 3 : 2} title={t('welcomeTell')} done={settings.notifications}>
          <ToggleSwitch
            id="notifications"
            label={t('notifications')}
            help={t('notificationsHelp')}
            on={settings.notifications}
            set={handlers.setNotifications}
          />
          <ToggleSwitch
            id="auto-copy"
            label={t('autoCopy')}
            help={t('autoCopyHelp')}
            on={settings.autoCopy}
            set={(autoCopy) => handlers.change({ autoCopy })}
          />
        </Step>
        <FirstLinkStep
          at={hasToolbar ? 4 : 3}
          connected={status !== null && status !== 'key_missing'}
          firstLink={firstLink}
          isAsking={props.isAsking}
          now={now}
          clipboard={clipboard}
          shorten={props.shorten}
          askAgain={props.askAgain}
          open={handlers.open}
          openOptions={handlers.openOptions}
        />
      </ol>
      {firstLink.kind === 'done' && (
        <p class="welcome-end" role="status">
          {shortcut ? t('welcomeEndKeys', shortcut) : t('welcomeEnd')}
        </p>
      )}
      <div class="toasts">{flash && <ErrorToast flash={flash} dismiss={props.dismissFlash} />}</div>
      <Announcer text={flash?.text ?? (clipboard.copied === null ? '' : t('copiedNamed', clipboard.copied))} />
    </main>
  );
}
