import type { Connection as ConnectionLink } from '@terse/contract/connection-link';
import { useEffect, useState } from 'preact/hooks';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { failureSentence } from '../../components/connection-form/connecting-handlers.ts';
import { kindName } from '../../components/connection-form/connection-fields.tsx';
import { NewConnectionForm, StoredConnectionForm } from '../../components/connection-form/connection-form.tsx';
import { ConnectionTestResult } from '../../components/connection-form/connection-test-result.tsx';
import { type Connecting, isBusy, useConnectionForm } from '../../components/connection-form/use-connection-form.ts';
import { useUnsaved } from '../../components/hooks/use-unsaved.ts';
import { Icon } from '../../components/icons.tsx';
import { formatNumber, joinSentences, t } from '../../format/i18n.ts';
import { connectionStatus } from '../../queue/status/connection-status.ts';
import type { Queue } from '../../queue/types.ts';
import type { ServiceKind } from '../../servers/adapter.ts';
import { kindOf } from '../../servers/capabilities.ts';
import type { OptionsActions } from './use-options-actions.ts';

export interface ConnectionRowProps {
  /** Null if the row is the form for a new connection. */
  queue: Queue | null;
  /** Empty for a new connection. */
  name: string;
  isDefault: boolean;
  /** True if there are other connections. */
  hasOthers: boolean;
  isOpen: boolean;
  /** Connection described by the connection link that opened this page, or null. */
  offered: ConnectionLink | null;
  handlers: OptionsActions;
  forget: () => void;
  /** Opens or closes the form. */
  toggle: () => void;
  /** Called when a new connection has been stored. */
  saved: (connectionId: string) => void;
}

/**
 * Row of a connection: its name, its status and, if the row is open, its form. A closed row keeps what the user typed
 * in the form.
 */
export function ConnectionRow(props: ConnectionRowProps) {
  const { queue, name, isDefault, hasOthers, isOpen, offered, handlers, toggle, saved } = props;
  const connecting = useConnectionForm(queue, offered, handlers, queue ? undefined : saved);
  useUnsaved(connecting.hasUnsaved);
  const { phase } = connecting;
  useEffect(() => {
    if (phase.kind === 'failed' && !isOpen) handlers.tell(failureSentence(phase.code));
  }, [phase]);
  const id = queue?.connection.id ?? 'new';
  const kind = queue ? kindOf(queue.connection) : 'terse';
  return (
    <section class="connection" aria-labelledby={`connection-${id}`}>
      {queue ? (
        <h3>
          <button
            id={`connection-${id}`}
            type="button"
            class="connection-head"
            aria-expanded={isOpen}
            aria-controls={isOpen ? `connection-form-${id}` : undefined}
            onClick={toggle}
          >
            <bdi class="connection-name">{name}</bdi>
            {isOtherSoftware(kind) && <span class="connection-kind">{kindName(kind)}</span>}
            {isDefault && hasOthers && <span class="chip">{t('defaultConnection')}</span>}
            <Status queue={queue} />
            <Icon name="later" class="connection-arrow" />
          </button>
        </h3>
      ) : (
        <h3 id="connection-new" class={hasOthers ? 'connection-head' : 'visually-hidden'}>
          {t('newConnection')}
        </h3>
      )}
      {isOpen && (
        <div id={`connection-form-${id}`} class="connection-body">
          <ConnectionBody {...props} connecting={connecting} />
        </div>
      )}
    </section>
  );
}

/**
 * True if the server runs a supported product other than Terse. False for servers that only follow Terse's API
 * specification.
 */
function isOtherSoftware(kind: ServiceKind): boolean {
  return kind !== 'terse' && kind !== 'specification';
}

/** Short status of a connection. The connection's form shows the details. */
function Status({ queue }: { queue: Queue }) {
  const status = connectionStatus(queue);
  const [tone, text] =
    queue.state.blocked !== null
      ? (['danger', t('actionNeeded')] as const)
      : status !== 'connected' && status !== 'saved'
        ? (['warning', t(`connection_${status}`)] as const)
        : queue.state.paused
          ? (['none', t('wait_paused')] as const)
          : ([status === 'connected' ? 'good' : 'none', t(`connection_${status}`)] as const);
  return (
    <span class={`connection-status is-${tone}`}>
      <span class="dot" aria-hidden="true" />
      {text}
    </span>
  );
}

/** Form for a connection, with the result of the last test or save. */
function ConnectionBody(props: ConnectionRowProps & { connecting: Connecting }) {
  const { queue, isDefault, hasOthers, handlers, forget, toggle, connecting } = props;
  const [forgetting, setForgetting] = useState(false);
  const { phase } = connecting;
  const waiting = queue?.requests.length ?? 0;
  const saysPaused = phase.kind === 'probed' && phase.saved !== null;
  const test = (
    <button
      type="button"
      class="button is-quiet"
      aria-disabled={isBusy(phase)}
      onClick={() => void connecting.go('test')}
    >
      {t('testConnection')}
    </button>
  );
  return (
    <>
      {queue?.state.paused && !saysPaused && (
        <p class="connection-paused">
          <span>{t('pausedByUser')}</span>
          <button type="button" class="button" onClick={handlers.openQueue}>
            {t('manage')}
          </button>
        </p>
      )}
      {queue ? (
        <StoredConnectionForm
          connecting={connecting}
          queue={queue}
          allowAccess={() => handlers.allowAccess(queue.connection)}
        >
          {test}
          {!isDefault && (
            <button type="button" class="button is-quiet" onClick={() => handlers.setDefault(queue.connection.id)}>
              {t('makeDefault')}
            </button>
          )}
          <button
            type="button"
            class="button is-quiet is-danger"
            disabled={isBusy(phase)}
            onClick={() => setForgetting(true)}
          >
            {t('forgetConnection')}
          </button>
        </StoredConnectionForm>
      ) : (
        <NewConnectionForm connecting={connecting} named={hasOthers}>
          {test}
          {hasOthers && (
            <button type="button" class="button is-quiet" disabled={isBusy(phase)} onClick={toggle}>
              {t('cancel')}
            </button>
          )}
        </NewConnectionForm>
      )}
      <ConnectionTestResult phase={phase} paused={queue?.state.paused === true} />
      {forgetting && queue && (
        <ConfirmDialog
          title={t('forgetTitle')}
          text={joinSentences(waiting > 0 ? t('forgetWaiting', formatNumber(waiting)) : '', t('forgetText'))}
          yes={t('forgetConnection')}
          confirm={forget}
          close={() => setForgetting(false)}
        />
      )}
    </>
  );
}
