import type { ComponentChildren } from 'preact';
import type { Queue } from '../queue/types.ts';
import { Announcer } from '../ui/announcer.tsx';
import { connectionNames } from '../ui/connections.ts';
import { FlashToast } from '../ui/flash-toast.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Mark } from '../ui/icons.tsx';
import { Meter } from '../ui/meter.tsx';
import { PrivateChip } from '../ui/private-chip.tsx';
import { t } from '../ui/strings.ts';
import type { FlashMessage } from '../ui/use-flash.ts';
import { useKeepFocus } from '../ui/use-keep-focus.ts';
import { Compose, type ComposeProps } from './compose.tsx';
import { GroupPage, type GroupPageProps } from './group-page.tsx';

export interface ManyProps {
  queues: Queue[];
  chosen: Queue | null;
  isPrivate: boolean;
  /** Something is being dragged over the page. */
  isDropTarget: boolean;
  flash: FlashMessage | null;
  /** What a screen reader is told. */
  announced: string;
  /** What is being put together; null: no service is connected. */
  compose: ComposeProps | null;
  /** What has become of a list; `unknown`: it is forgotten. Null: none is shown. */
  group: GroupPageProps | 'unknown' | 'loading' | null;
  now: number;
  handlers: ComposeProps['handlers'];
}

/** A list of addresses, from putting it together to its short URLs. */
export function Many(props: ManyProps) {
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
      {compose && group === null && <Meter quota={compose.quota} now={now} />}
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
      <div class="toasts">{flash && <FlashToast flash={flash} dismiss={handlers.dismiss} />}</div>
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
