import { useRef } from 'preact/hooks';
import { ConnectingResult } from '../connecting/connecting-result.tsx';
import { ConnectionForm } from '../connecting/connection-form.tsx';
import { EDITING, useConnecting } from '../connecting/use-connecting.ts';
import { connectionStatus } from '../queue/connection-status.ts';
import type { Queue } from '../queue/types.ts';
import { ConnectionState } from '../ui/connection-state.tsx';
import { connectionNames } from '../ui/connections.ts';
import { type Clipboard, CopyIcon } from '../ui/copy.tsx';
import { t } from '../ui/strings.ts';
import { useFocus } from '../ui/use-focus.ts';
import type { WelcomeHandlers } from './handlers.ts';
import { Step } from './step.tsx';

/** Starts a service on this computer, and prints its connection link. */
const COMMAND = 'npm ci && npm start';

interface ConnectStepProps {
  /** The default connection's; null: there is none yet. */
  queue: Queue | null;
  now: number;
  clipboard: Clipboard;
  handlers: WelcomeHandlers;
}

/** The service: by its connection link, or by address and key; and how to come by one. */
export function ConnectStep({ queue, now, clipboard, handlers }: ConnectStepProps) {
  const connecting = useConnecting(queue, null, handlers);
  // What has failed was typed into the form, which is there no more once something is connected.
  const phase = queue && connecting.phase.kind === 'failed' ? EDITING : connecting.phase;
  const address = useRef<HTMLInputElement>(null);
  const hadForm = useRef(queue === null);
  const connected = useFocus<HTMLDivElement>('', hadForm.current && queue !== null);
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
            lastFour={null}
            named={false}
            withTest={false}
            address={address}
            forget={null}
            cancel={null}
          />
        </>
      )}
      <ConnectingResult phase={phase} now={now} onHold={queue?.state.onHold === true} offerNotifications={null} />
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
