import { useRef } from 'preact/hooks';
import { ConnectionForm } from '../../components/connection-form/connection-form.tsx';
import { ConnectionTestResult } from '../../components/connection-form/connection-test-result.tsx';
import { EDITING, useConnectionForm } from '../../components/connection-form/use-connection-form.ts';
import { ConnectionState } from '../../components/connection-notice.tsx';
import { type Clipboard, CopyIcon } from '../../components/copy-button.tsx';
import { useAutofocus } from '../../components/hooks/use-autofocus.ts';
import { connectionNames } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import { connectionStatus } from '../../queue/status/connection-status.ts';
import type { Queue } from '../../queue/types.ts';
import type { WelcomeActions } from './use-welcome-actions.ts';
import { Step } from './welcome-step.tsx';

/** Command that starts a server on this computer and prints its connection link. */
const COMMAND = 'npm ci && npm start';

interface ConnectStepProps {
  /** Queue of the default connection. Null if there is none. */
  queue: Queue | null;
  now: number;
  clipboard: Clipboard;
  handlers: WelcomeActions;
}

/** Step that connects a server by its connection link, or by address and API key, and says how to get one. */
export function ConnectStep({ queue, now, clipboard, handlers }: ConnectStepProps) {
  const connecting = useConnectionForm(queue, null, handlers);
  // A failure belongs to the form, which disappears once a server is connected.
  const phase = queue && connecting.phase.kind === 'failed' ? EDITING : connecting.phase;
  const address = useRef<HTMLInputElement>(null);
  const hadForm = useRef(queue === null);
  const connected = useAutofocus<HTMLDivElement>('', hadForm.current && queue !== null);
  const status = queue && connectionStatus(queue);
  const works = status === 'connected' || status === 'saved';
  return (
    <Step at={1} title={t('welcomeConnect')} done={works}>
      {queue ? (
        <div ref={connected} class="welcome-connection" tabIndex={-1}>
          <bdi>{connectionNames([queue.connection]).get(queue.connection.id)}</bdi>
          <ConnectionState queue={queue} now={now} />
          {status === 'access_missing' && (
            <button type="button" class="button" onClick={() => handlers.allowAccess(queue.connection)}>
              {t('allow')}
            </button>
          )}
          <button type="button" class="text-button" onClick={handlers.openOptions}>
            {t('openOptions')}
          </button>
        </div>
      ) : (
        <>
          <p>{t('welcomeConnectHelp')}</p>
          <ConnectionForm
            connecting={connecting}
            connection={null}
            lastFour={null}
            named={false}
            withTest={false}
            address={address}
            forget={null}
            cancel={null}
          />
        </>
      )}
      <ConnectionTestResult phase={phase} now={now} onHold={queue?.state.onHold === true} offerNotifications={null} />
      {!queue && (
        <details class="welcome-service">
          <summary>{t('welcomeNoService')}</summary>
          <p>{t('welcomeOwnService')}</p>
          <p class="field-row">
            <code dir="ltr">{COMMAND}</code>
            <CopyIcon text={COMMAND} clipboard={clipboard} />
          </p>
          <p>{t('welcomeAnyService')}</p>
        </details>
      )}
    </Step>
  );
}
