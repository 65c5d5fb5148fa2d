import type { Connection as ConnectionLink } from '@terse/contract/connection-link';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ConnectionForm } from '../../components/connection-form/connection-form.tsx';
import { ConnectionTestResult, failureSentence } from '../../components/connection-form/connection-test-result.tsx';
import { useConnectionForm } from '../../components/connection-form/use-connection-form.ts';
import { ConnectionState } from '../../components/connection-notice.tsx';
import { t } from '../../format/i18n.ts';
import { connectionStatus } from '../../queue/status/connection-status.ts';
import type { Queue } from '../../queue/types.ts';
import { DeleteConnectionDialog } from './delete-connection-dialog.tsx';
import type { OptionsActions, WaitingChoice } from './use-options-actions.ts';

export interface ConnectionCardProps {
  /** Null: a connection that is being added. */
  queue: Queue | null;
  /** Empty for a new connection. */
  name: string;
  isDefault: boolean;
  /** Other connections that could take over pending requests, by name. */
  others: { id: string; name: string }[];
  open: boolean;
  offered: ConnectionLink | null;
  notifications: boolean;
  now: number;
  handlers: OptionsActions;
  forget: (waiting: WaitingChoice) => void;
  /** True if the form, or the button that opens it, gets the focus because the focused control was removed. */
  takesFocus: boolean;
  edit: () => void;
  close: (() => void) | null;
  saved: (connectionId: string) => void;
}

/** Status of one connection, and its form when it is open. */
export function ConnectionCard(props: ConnectionCardProps) {
  const { queue, name, isDefault, others, open, now, handlers } = props;
  const connection = queue?.connection ?? null;
  const hasKey = queue?.state.halt !== 'key_missing';
  const connecting = useConnectionForm(queue, props.offered, handlers, {
    saved: props.saved,
    left: (code) => handlers.tell(failureSentence(code)),
  });
  const { phase } = connecting;
  const [forgetting, setForgetting] = useState(false);
  const address = useRef<HTMLInputElement>(null);
  const editButton = useRef<HTMLButtonElement>(null);
  const titleId = `connection-${connection?.id ?? 'new'}`;
  const many = others.length > 0;

  useEffect(() => {
    if (props.takesFocus) (address.current ?? editButton.current)?.focus();
  }, [props.takesFocus]);

  const replaceKey = () => {
    if (!open) return props.edit();
    connecting.enter({ apiKey: '' });
    // The field can get the focus only after it was painted.
    requestAnimationFrame(() => document.getElementById('key')?.focus());
  };
  const saysPaused = open && phase.kind === 'probed' && phase.saved !== null;

  return (
    <section class="card" aria-labelledby={titleId}>
      <div class="card-head">
        <h2 id={titleId}>
          <bdi>{(many && name) || t(connection || !many ? 'connection' : 'newConnection')}</bdi>
        </h2>
        {isDefault && many && <span class="chip">{t('defaultConnection')}</span>}
        {queue && <ConnectionState queue={queue} now={now} />}
      </div>
      {queue?.state.onHold && !saysPaused && (
        <p class="way-out">
          <span>{t('onHold')}</span>
          <button type="button" class="button" onClick={handlers.openQueue}>
            {t('manage')}
          </button>
        </p>
      )}
      {queue && <WayOut queue={queue} handlers={handlers} replaceKey={replaceKey} />}
      {connection && !open && (
        <div class="actions">
          <button ref={editButton} type="button" class="button" aria-label={t('editNamed', name)} onClick={props.edit}>
            {t('edit')}
          </button>
          {!isDefault && (
            <button
              type="button"
              class="button is-quiet"
              aria-label={t('makeDefaultNamed', name)}
              onClick={() => handlers.setDefault(connection.id)}
            >
              {t('makeDefault')}
            </button>
          )}
        </div>
      )}
      {open && (
        <>
          {!connection && <p class="card-intro">{t('connectionIntroNone')}</p>}
          <ConnectionForm
            connecting={connecting}
            connection={connection}
            lastFour={hasKey ? (connection?.lastFour ?? null) : null}
            named={many || (connection?.name ?? '') !== ''}
            address={address}
            forget={connection && (() => setForgetting(true))}
            cancel={props.close}
          />
          <ConnectionTestResult
            phase={phase}
            now={now}
            onHold={queue?.state.onHold === true}
            offerNotifications={props.notifications ? null : () => handlers.setNotifications(true)}
          />
        </>
      )}
      {forgetting && queue && (
        <DeleteConnectionDialog
          waiting={queue.requests.length}
          onHold={queue.state.onHold === true && queue.requests.length > 0}
          others={others}
          confirm={props.forget}
          close={() => setForgetting(false)}
        />
      )}
    </section>
  );
}

const HELP = {
  access_missing: 'accessMissingHelp',
  key_refused: 'keyRefusedHelp',
  key_missing: 'keyMissingHelp',
  not_reachable: 'notReachableHelp',
  unprotected: 'unprotectedHelp',
  not_a_service: 'notAServiceHelp',
  redirected: 'test_redirected',
} as const;

interface WayOutProps {
  queue: Queue;
  handlers: OptionsActions;
  replaceKey: () => void;
}

/** Explains why a connection does not work, with buttons for what the user can do. */
function WayOut({ queue, handlers, replaceKey }: WayOutProps) {
  const status = connectionStatus(queue);
  if (status === 'connected' || status === 'saved') return null;
  return (
    <p class="way-out">
      <span>{t(HELP[status])}</span>
      {status === 'access_missing' && (
        <button type="button" class="button" onClick={() => handlers.allowAccess(queue.connection)}>
          {t('allow')}
        </button>
      )}
      {status === 'key_refused' && (
        <button type="button" class="button" onClick={replaceKey}>
          {t('replaceKey')}
        </button>
      )}
    </p>
  );
}
