import type { Connection as ConnectionLink } from '@terse/contract/connection-link';
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { failureSentence } from '../../components/connection-form/connection-test-result.tsx';
import type { Answer } from '../../components/connection-form/use-connection-form.ts';
import { useAutofocus } from '../../components/hooks/use-autofocus.ts';
import { Icon } from '../../components/icons.tsx';
import { Notice, useNextAction } from '../../components/notice.tsx';
import { connectionNames } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import type { Queue } from '../../queue/types.ts';
import { ConnectionCard } from './connection-card.tsx';
import type { OptionsActions, WaitingChoice } from './use-options-actions.ts';

interface ConnectionsProps {
  /** The default connection comes first. */
  queues: Queue[];
  offered: ConnectionLink | null;
  notifications: boolean;
  now: number;
  handlers: OptionsActions;
}

/** The open form. Its key stays the same when a new connection is stored, so that its result stays visible. */
interface OpenForm {
  key: number;
  /** Null: a connection that is being added. */
  connectionId: string | null;
}

/** Returns the form that is open at first: that of the only connection, or a new one if there is none. */
function firstForm(queues: Queue[], key: number): OpenForm | null {
  return queues.length > 1 ? null : { key, connectionId: queues[0]?.connection.id ?? null };
}

/** List of connections, with at most one form open, and a button to add another. */
export function Connections({ queues, offered, notifications, now, handlers }: ConnectionsProps) {
  const [open, setOpen] = useState<OpenForm | null>(() =>
    offered ? { key: 0, connectionId: null } : firstForm(queues, 0),
  );
  const hadNone = useRef(queues.length === 0);
  useLayoutEffect(() => {
    // Imported connections need keys. A form for a new connection would be mistaken for theirs.
    const isImported = queues.length > 0 && queues.every(({ state }) => state.halt === 'key_missing');
    if (hadNone.current && isImported) setOpen((now) => firstForm(queues, (now?.key ?? 0) + 1));
    hadNone.current = queues.length === 0;
  }, [queues]);
  const ids = queues.map(({ connection }) => connection.id);
  const names = connectionNames(queues.map(({ connection }) => connection));
  /** Id of the connection whose form was closed last. The button that opens it gets the focus. */
  const [left, setLeft] = useState<{ id: string | null } | null>(null);
  const addButton = useAutofocus<HTMLButtonElement>('', left?.id === null);
  const [forgotten, setForgotten] = useState<Answer<null> | null>(null);
  const takeBack = useCallback(() => setForgotten(null), []);
  useNextAction(forgotten?.ok === true, takeBack);
  /** Keeps the form of a saved connection open, unless the user has closed it in the meantime. */
  const keepOpen = (connectionId: string) =>
    setOpen((now) => (now === open ? { key: open?.key ?? 0, connectionId } : now));
  const openForm = (connectionId: string | null) => {
    setLeft(null);
    setOpen({ key: (open?.key ?? 0) + 1, connectionId });
  };
  const leave = (id: string | null) => {
    setLeft({ id });
    setOpen(null);
  };
  // Without a connection, the form for the first one is always open.
  const adding = queues.length === 0 || open?.connectionId === null;
  const cards = [...queues, ...(adding ? [null] : [])];
  const others = (id: string | null) =>
    ids.filter((one) => one !== id).map((one) => ({ id: one, name: names.get(one) ?? '' }));

  const forget = async (id: string, waiting: WaitingChoice) => {
    const answer = await handlers.forget(id, waiting);
    setForgotten(answer);
    // After a connection is removed, the form for a new one opens if none is left.
    if (answer.ok) setOpen(others(id).length > 0 ? null : { key: (open?.key ?? 0) + 1, connectionId: null });
  };

  return (
    <>
      <div role="status" aria-live="polite" class="connecting-result">
        {forgotten?.ok && <Notice icon="check" tone="" text={t('forgotten')} />}
        {forgotten?.ok === false && <Notice icon="warning" tone="is-danger" text={failureSentence(forgotten.code)} />}
      </div>
      {cards.map((queue, index) => {
        const id = queue?.connection.id ?? null;
        const isOpen = queue === null || open?.connectionId === id;
        return (
          <ConnectionCard
            key={isOpen ? `open-${open?.key ?? 0}` : id}
            queue={queue}
            name={queue ? (names.get(queue.connection.id) ?? '') : ''}
            isDefault={index === 0}
            others={others(id)}
            open={isOpen}
            offered={queue === null ? offered : null}
            notifications={notifications}
            now={now}
            handlers={handlers}
            forget={(waiting) => void (id && forget(id, waiting))}
            takesFocus={(forgotten?.ok === true && queues.length === 0) || (left !== null && left.id === id)}
            edit={() => openForm(id)}
            close={queues.length > 1 || (queue === null && queues.length > 0) ? () => leave(id) : null}
            saved={keepOpen}
          />
        );
      })}
      {!adding && (
        <button ref={addButton} type="button" class="button add-connection" onClick={() => openForm(null)}>
          <Icon name="plus" />
          {t('addConnection')}
        </button>
      )}
    </>
  );
}
