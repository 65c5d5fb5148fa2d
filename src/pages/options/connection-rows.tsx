import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ConnectionFields, kindName, SaveResult } from '../../components/connection-form/connection-form.tsx';
import { NEW } from '../../components/connection-form/connection-forms-store.ts';
import { ConfirmDialog } from '../../components/dialogs.tsx';
import { useKeepFocus } from '../../components/focus.ts';
import { Icon } from '../../components/icons.tsx';
import { askBeforeClosing } from '../../components/page-store.ts';
import { formatNumber, joinSentences, t } from '../../format/i18n.ts';
import { connectionStatus } from '../../queue/status.ts';
import type { Queue } from '../../queue/types.ts';
import { kindOf } from '../../servers/capabilities.ts';
import type { OptionsStore } from './options-store.ts';

/** List of connections, and a button to add another. */
export function ConnectionsList({ store }: { store: OptionsStore }) {
  const list = useKeepFocus<HTMLDivElement>();
  useEffect(() => askBeforeClosing(store.forms.hasUnsaved), []);
  const queues = store.queues.value;
  const isAdding = store.isAdding.value;
  return (
    <div ref={list} class="connection-list">
      <div class="card is-list">
        {queues.map((queue, index) => (
          <ConnectionRow key={queue.connection.id} store={store} queue={queue} isDefault={index === 0} />
        ))}
        {isAdding && <NewConnectionRow store={store} />}
      </div>
      {queues.length === 0 && (
        <a class="text-button" href="../welcome/index.html">
          {t('welcomeNoServer')}
        </a>
      )}
      {!isAdding && (
        <button type="button" class="button" onClick={() => store.toggle(NEW)}>
          <Icon name="plus" />
          {t('addConnection')}
        </button>
      )}
    </div>
  );
}

/** Short status of a connection. The connection's form shows the details. */
function Status({ queue }: { queue: Queue }) {
  const { tone, text } = statusOf(queue);
  return (
    <span class={`connection-status is-${tone}`}>
      <span class="dot" aria-hidden="true" />
      {text}
    </span>
  );
}

function statusOf({ connection, state }: Queue) {
  const status = connectionStatus({ connection, state });
  const isFine = status === 'connected' || status === 'saved';
  if (state.blocked !== null) return { tone: 'danger', text: t('actionNeeded') };
  if (state.paused && isFine) return { tone: 'none', text: t('wait_paused') };
  return { tone: isFine ? (status === 'saved' ? 'none' : 'good') : 'warning', text: t(`connection_${status}`) };
}

/** The open form for a new connection. */
function NewConnectionRow({ store }: { store: OptionsStore }) {
  const form = store.forms.formOf(NEW);
  const hasOthers = store.queues.value.length > 0;
  return (
    <section class="connection" aria-labelledby="connection-new">
      <h3 id="connection-new" class={hasOthers ? 'connection-head' : 'visually-hidden'}>
        {t('newConnection')}
      </h3>
      <div class="connection-body">
        <ConnectionFields form={form} queue={null} named={hasOthers}>
          {hasOthers && (
            <button type="button" class="button is-quiet" disabled={form.isSaving} onClick={store.cancelNew}>
              {t('cancel')}
            </button>
          )}
        </ConnectionFields>
        <SaveResult results={form.results} />
      </div>
    </section>
  );
}

interface RowProps {
  store: OptionsStore;
  queue: Queue;
  isDefault: boolean;
}

/** Row of a connection: its name, its status and, if the row is open, its form. */
function ConnectionRow({ store, queue, isDefault }: RowProps) {
  const { id } = queue.connection;
  const isOpen = store.open.value === id;
  const kind = kindOf(queue.connection);
  const [wasDefault] = useState(isDefault);
  const head = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    // "Make default" disappears once the connection is the default, and the row moves.
    if (isOpen && isDefault && !wasDefault && document.activeElement === document.body) head.current?.focus();
  }, [isDefault]);
  return (
    <section class="connection" aria-labelledby={`connection-${id}`}>
      <h3>
        <button
          ref={head}
          id={`connection-${id}`}
          type="button"
          class="connection-head"
          aria-expanded={isOpen}
          aria-controls={isOpen ? `connection-form-${id}` : undefined}
          onClick={() => store.toggle(id)}
        >
          <bdi>{store.names.value.get(id)}</bdi>
          {kind !== 'terse' && kind !== 'specification' && <span class="connection-kind">{kindName(kind)}</span>}
          {isDefault && store.queues.value.length > 1 && <span class="chip">{t('defaultConnection')}</span>}
          <Status queue={queue} />
          <Icon name="later" class="connection-arrow" />
        </button>
      </h3>
      {isOpen && (
        <div id={`connection-form-${id}`} class="connection-body">
          <ConnectionBody {...{ store, queue, isDefault }} />
        </div>
      )}
    </section>
  );
}

/** Form of a stored connection, with the result of the last save. */
function ConnectionBody({ store, queue, isDefault }: RowProps) {
  const [forgetting, setForgetting] = useState(false);
  const { connection, requests } = queue;
  const form = store.forms.formOf(connection.id);
  const waiting = requests.length;
  return (
    <>
      <ConnectionFields form={form} queue={queue} allowAccess={() => void store.allowAccess(connection)}>
        {!isDefault && (
          <button type="button" class="button is-quiet" onClick={() => store.setDefault(connection.id)}>
            {t('makeDefault')}
          </button>
        )}
        <button
          type="button"
          class="button is-quiet is-danger"
          disabled={form.isSaving}
          onClick={() => setForgetting(true)}
        >
          {t('forgetConnection')}
        </button>
      </ConnectionFields>
      <SaveResult results={form.results} />
      {forgetting && (
        <ConfirmDialog
          title={t('forgetTitle')}
          text={joinSentences(waiting > 0 ? t('forgetWaiting', formatNumber(waiting)) : '', t('forgetText'))}
          yes={t('forgetConnection')}
          confirm={() => void store.forget(connection.id)}
          close={() => setForgetting(false)}
        />
      )}
    </>
  );
}
