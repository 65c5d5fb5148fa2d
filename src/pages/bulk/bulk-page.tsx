import type { ComponentChildren } from 'preact';
import { ErrorToast, type FlashMessage } from '../../components/error-toast.tsx';
import { useKeepFocus } from '../../components/hooks/use-keep-focus.ts';
import { IconButton, Mark } from '../../components/icons.tsx';
import { Announcer, PrivateChip } from '../../components/page-shell.tsx';
import { QuotaMeter } from '../../components/quota-meter.tsx';
import { connectionNames } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import type { Queue } from '../../queue/types.ts';
import { Compose, type ComposeProps } from './compose-list.tsx';
import { GroupPage, type GroupPageProps } from './progress-view.tsx';

export interface BulkPageProps {
  queues: Queue[];
  chosen: Queue | null;
  isPrivate: boolean;
  /** True while something is dragged over the page. */
  isDropTarget: boolean;
  flash: FlashMessage | null;
  /** Text for screen readers. */
  announced: string;
  /** The list that the user is composing. Null if no server is connected. */
  compose: ComposeProps | null;
  /** Progress of a sent list. `unknown`: the list is no longer stored. Null: none is shown. */
  group: GroupPageProps | 'unknown' | 'loading' | null;
  now: number;
  handlers: ComposeProps['handlers'];
}

/** Page for shortening many URLs at once, from composing the list to its short URLs. */
export function BulkPage(props: BulkPageProps) {
  const { queues, chosen, isPrivate, isDropTarget, flash, announced, compose, group, now, handlers } = props;
  const connections = queues.map(({ connection }) => connection);
  const names = connectionNames(connections);
  const main = useKeepFocus<HTMLElement>();
  return (
    <main ref={main} class="page is-wide" aria-busy={group === 'loading'}>
      <header class="page-head">
        <Mark />
        <h1>{t('manyTitle')}</h1>
        {isPrivate && <PrivateChip />}
        <div class="page-end actions">
          {chosen && queues.length > 1 && group === null && (
            <select
              class="input is-short"
              aria-label={t('connectionSwitch')}
              value={chosen.connection.id}
              onChange={(event) => handlers.choose(event.currentTarget.value)}
            >
              {connections.map(({ id }) => (
                <option key={id} value={id}>
                  {names.get(id)}
                </option>
              ))}
            </select>
          )}
          <button type="button" class="button is-quiet" onClick={handlers.openQueue}>
            {t('queue')}
          </button>
          <button type="button" class="button is-quiet" onClick={handlers.openLinks}>
            {t('allLinks')}
          </button>
          <IconButton icon="settings" name={t('options')} press={handlers.openOptions} />
        </div>
      </header>
      {compose && group === null && <QuotaMeter quota={compose.quota} now={now} />}
      {group === 'loading' ? null : group === 'unknown' ? (
        <Notice text={t('groupUnknown')}>
          <button type="button" class="button" onClick={handlers.backToList}>
            {t('groupAnother')}
          </button>
        </Notice>
      ) : group ? (
        <GroupPage {...group} />
      ) : compose ? (
        <Compose {...compose} />
      ) : (
        <Notice text={t('refusal_no_connection')}>
          <button type="button" class="button is-primary" onClick={handlers.openOptions}>
            {t('connectService')}
          </button>
        </Notice>
      )}
      {isDropTarget && (
        <p class="drop-veil" aria-hidden="true">
          <span>{t('manyDrop')}</span>
        </p>
      )}
      <div class="toasts">{flash && <ErrorToast flash={flash} dismiss={handlers.dismiss} />}</div>
      <Announcer text={flash?.text ?? announced} />
    </main>
  );
}

function Notice({ text, children }: { text: string; children: ComponentChildren }) {
  return (
    <section class="card is-notice">
      <p>{text}</p>
      {children}
    </section>
  );
}
