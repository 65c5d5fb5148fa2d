import { EmptyState, NoServer } from '../../components/empty-state.tsx';
import { ErrorToast, type FlashMessage } from '../../components/error-toast.tsx';
import { useKeepFocus } from '../../components/hooks/use-keep-focus.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Announcer } from '../../components/page-shell.tsx';
import { connectionNames } from '../../format/display-text.ts';
import { t } from '../../format/i18n.ts';
import type { Queue, VisibleQueues } from '../../queue/types.ts';
import { Compose, type ComposeProps } from './compose-list.tsx';
import { GroupPage, type GroupPageProps } from './progress-view.tsx';

export interface BulkPageProps {
  view: VisibleQueues;
  chosen: Queue | null;
  /** True while something is dragged over the page. */
  isDropTarget: boolean;
  flash: FlashMessage | null;
  /** Text that screen readers announce. */
  announced: string;
  /** The list that the user is composing. Null if no server is connected. */
  compose: ComposeProps | null;
  /**
   * Progress of the list that the user opened. Null if the user is composing a new list. `unknown` if the opened list
   * does not exist.
   */
  group: GroupPageProps | 'unknown' | 'loading' | null;
  handlers: ComposeProps['handlers'];
}

/** Page for shortening many URLs at once. The user composes a list, sends it and gets the short URLs. */
export function BulkPage(props: BulkPageProps) {
  const { view, chosen, isDropTarget, flash, announced, compose, group, handlers } = props;
  const { queues } = view;
  const connections = queues.map(({ connection }) => connection);
  const names = connectionNames(connections);
  const main = useKeepFocus<HTMLElement>();
  return (
    <>
      <PageHeader current="bulk" view={view} />
      <main ref={main} class="page is-wide" aria-busy={group === 'loading'}>
        {group !== null && typeof group === 'object' ? (
          <GroupPage {...group} />
        ) : (
          <>
            <header class="page-head">
              <h1>{t('manyTitle')}</h1>
              {chosen && queues.length > 1 && group === null && (
                <select
                  class="input page-end"
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
            </header>
            {group === 'unknown' ? (
              <EmptyState icon="bulk" title={t('groupUnknown')}>
                <button type="button" class="button is-primary" onClick={handlers.backToList}>
                  {t('groupAnother')}
                </button>
              </EmptyState>
            ) : group === 'loading' ? null : compose ? (
              <Compose {...compose} />
            ) : (
              <NoServer openOptions={handlers.openOptions} />
            )}
          </>
        )}
        {isDropTarget && (
          <p class="drop-veil" aria-hidden="true">
            <span>{t('manyDrop')}</span>
          </p>
        )}
        <div class="toasts">{flash && <ErrorToast flash={flash} dismiss={handlers.dismiss} />}</div>
        <Announcer text={flash?.text ?? announced} />
      </main>
    </>
  );
}
