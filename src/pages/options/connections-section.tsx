import type { Connection as ConnectionLink } from '@terse/contract/connection-link';
import { useCallback, useState } from 'preact/hooks';
import { type Answer, failureSentence } from '../../components/connection-form/connecting-handlers.ts';
import { useKeepFocus } from '../../components/hooks/use-keep-focus.ts';
import { Icon } from '../../components/icons.tsx';
import { Notice, useNextAction } from '../../components/notice.tsx';
import { connectionNames } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import type { Queue } from '../../queue/types.ts';
import { ConnectionRow } from './connection-row.tsx';
import { Section } from './sections-and-navigation.tsx';
import { useConnectionRows } from './use-connection-rows.ts';
import type { OptionsActions } from './use-options-actions.ts';

interface ConnectionsProps {
  /** Queues of the connections. The queue of the default connection comes first. */
  queues: Queue[];
  /** Connection described by the connection link that opened this page, or null. */
  offered: ConnectionLink | null;
  handlers: OptionsActions;
}

/** List of connections, and a button to add another. */
export function ConnectionsSection({ queues, offered, handlers }: ConnectionsProps) {
  const { rows, isAdding, toggle, add, saved, removed } = useConnectionRows(queues, offered !== null);
  const names = connectionNames(queues.map(({ connection }) => connection));
  const hasOthers = (id: string | undefined) => queues.some(({ connection }) => connection.id !== id);

  const [forgotten, setForgotten] = useState<Answer<null> | null>(null);
  const takeBack = useCallback(() => setForgotten(null), []);
  useNextAction(forgotten?.ok === true, takeBack);
  const list = useKeepFocus<HTMLDivElement>();

  const forget = async (id: string) => {
    const answer = await handlers.forget(id);
    setForgotten(answer);
    if (answer.ok) removed(!hasOthers(id));
  };

  return (
    <Section id="connections">
      <div ref={list} class="connection-list">
        <div role="status" aria-live="polite" class="connecting-result">
          {forgotten?.ok && <Notice icon="check" tone="" text={t('forgotten')} />}
          {forgotten?.ok === false && <Notice icon="warning" tone="is-danger" text={failureSentence(forgotten.code)} />}
        </div>
        <div class="card setting-rows">
          {rows.map(({ key, queue, isOpen }, index) => {
            const id = queue?.connection.id;
            return (
              <ConnectionRow
                key={key}
                queue={queue}
                name={(id && names.get(id)) ?? ''}
                isDefault={index === 0}
                hasOthers={hasOthers(id)}
                isOpen={isOpen}
                offered={queue === null ? offered : null}
                handlers={handlers}
                forget={() => void (id && forget(id))}
                toggle={() => toggle(key)}
                saved={saved}
              />
            );
          })}
        </div>
        {queues.length === 0 && (
          <a class="text-button" href="../hosting/index.html">
            {t('welcomeNoServer')}
          </a>
        )}
        {!isAdding && (
          <button type="button" class="button" onClick={add}>
            <Icon name="plus" />
            {t('addConnection')}
          </button>
        )}
      </div>
    </Section>
  );
}
