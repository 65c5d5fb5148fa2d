import { useEffect, useState } from 'preact/hooks';
import { failureSentence } from '../../components/connection-form/connecting-handlers.ts';
import { kindName } from '../../components/connection-form/connection-fields.tsx';
import { NewConnectionForm, StoredConnectionForm } from '../../components/connection-form/connection-form.tsx';
import { ConnectionTestResult } from '../../components/connection-form/connection-test-result.tsx';
import { type Connecting, isBusy, useConnectionForm } from '../../components/connection-form/use-connection-form.ts';
import { ConfirmDialog } from '../../components/dialogs.tsx';
import { useKeepFocus } from '../../components/focus.ts';
import { Icon } from '../../components/icons.tsx';
import { Notice, useNextAction } from '../../components/notice.tsx';
import { formatNumber, joinSentences, t } from '../../format/i18n.ts';
import { connectionStatus } from '../../queue/status.ts';
import type { Queue } from '../../queue/types.ts';
import { kindOf } from '../../servers/capabilities.ts';
import type { ConnectionRowModel, OptionsStore } from './options-store.ts';

/** List of connections, and a button to add another. */
export function ConnectionsList({ store }: { store: OptionsStore }) {
  const { forgotten } = store;
  const list = useKeepFocus<HTMLDivElement>();
  useNextAction(forgotten.value?.ok === true, () => {
    forgotten.value = null;
  });
  return (
    <div ref={list} class="connection-list">
      <div role="status" aria-live="polite" class="connecting-result">
        {forgotten.value?.ok && <Notice icon="check" tone="" text={t('forgotten')} />}
        {forgotten.value?.ok === false && (
          <Notice icon="warning" tone="is-danger" text={failureSentence(forgotten.value.code)} />
        )}
      </div>
      <div class="card is-list">
        {store.rows.value.map((row, index) => (
          <ConnectionRow key={row.key} store={store} row={row} isDefault={index === 0} />
        ))}
      </div>
      {store.queues.value.length === 0 && (
        <a class="text-button" href="../hosting/index.html">
          {t('welcomeNoServer')}
        </a>
      )}
      {!store.isAdding.value && (
        <button type="button" class="button" onClick={store.add}>
          <Icon name="plus" />
          {t('addConnection')}
        </button>
      )}
    </div>
  );
}

interface RowProps {
  store: OptionsStore;
  row: ConnectionRowModel;
  isDefault: boolean;
}

/**
 * Row of a connection: its name, its status and, if the row is open, its form. A closed row keeps what the user typed
 * in the form.
 */
function ConnectionRow({ store, row, isDefault }: RowProps) {
  const { key, queue, isOpen } = row;
  const offered = queue ? null : store.offered;
  const connecting = useConnectionForm(queue, offered, store.connecting, queue ? undefined : store.saved);
  useUnsaved(connecting.hasUnsaved);
  const { phase } = connecting;
  useEffect(() => {
    if (phase.kind === 'failed' && !isOpen) store.tell(failureSentence(phase.code));
  }, [phase]);
  const id = queue?.connection.id ?? 'new';
  const kind = queue ? kindOf(queue.connection) : 'terse';
  const hasOthers = store.connections.value.some((other) => other.id !== id);
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
            onClick={() => store.toggle(key)}
          >
            <bdi class="connection-name">{store.names.value.get(id)}</bdi>
            {kind !== 'terse' && kind !== 'specification' && <span class="connection-kind">{kindName(kind)}</span>}
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
          <ConnectionBody {...{ store, row, isDefault, hasOthers, connecting }} />
        </div>
      )}
    </section>
  );
}

/** Makes the browser ask for confirmation before it closes a page with unsaved changes. */
function useUnsaved(hasUnsaved: boolean): void {
  useEffect(() => {
    if (!hasUnsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [hasUnsaved]);
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

interface BodyProps {
  /** True if there are other connections. */
  hasOthers: boolean;
  connecting: Connecting;
}

/** Form for a connection, with the result of the last test or save. */
function ConnectionBody({ store, row, isDefault, hasOthers, connecting }: RowProps & BodyProps) {
  const { queue, key } = row;
  const [forgetting, setForgetting] = useState(false);
  const { phase } = connecting;
  const waiting = queue?.requests.length ?? 0;
  const saysPaused = phase.kind === 'probed' && phase.isSaved;
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
        <p class="notice">
          <span>{t('pausedByUser')}</span>
          <button type="button" class="button" onClick={store.openQueue}>
            {t('manage')}
          </button>
        </p>
      )}
      {queue ? (
        <StoredConnectionForm
          connecting={connecting}
          queue={queue}
          allowAccess={() => void store.allowAccess(queue.connection)}
        >
          {test}
          {!isDefault && (
            <button type="button" class="button is-quiet" onClick={() => store.setDefault(queue.connection.id)}>
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
            <button type="button" class="button is-quiet" disabled={isBusy(phase)} onClick={() => store.toggle(key)}>
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
          confirm={() => void store.forget(queue.connection.id)}
          close={() => setForgetting(false)}
        />
      )}
    </>
  );
}
