import { IconButton } from '../../components/icons.tsx';
import { formatNumber, joinSentences, plural, t } from '../../format/i18n.ts';
import { formatTimeAgo } from '../../format/relative-time.ts';
import { serviceProblemMessage } from '../../format/status-text.ts';
import type { Connection } from '../../queue/types.ts';
import { capabilitiesOf } from '../../servers/capabilities.ts';
import type { LinksStore, SyncState } from './links-store.ts';

interface SyncNotesProps {
  /** True to show only servers whose links could not be read. False to show only the other servers. */
  isProblem: boolean;
  store: LinksStore;
}

/** Shows the time at which each server's list was read, or the reason why the list could not be read. */
export function SyncNotes({ isProblem, store }: SyncNotesProps) {
  const { connections, syncs } = store;
  const stateOf = ({ id }: Connection) => syncs.value.get(id) ?? null;
  const noted = connections.value.filter((one) => (typeof stateOf(one) === 'string') === isProblem);
  if (noted.length === 0) return null;
  return (
    <ul class="history">
      {noted.map((connection) => (
        <Note key={connection.id} connection={connection} state={stateOf(connection)} store={store} />
      ))}
    </ul>
  );
}

interface NoteProps {
  connection: Connection;
  state: SyncState;
  store: LinksStore;
}

function Note({ connection, state, store }: NoteProps) {
  const name = store.names.value.get(connection.id) ?? '';
  if (!capabilitiesOf(connection).list) return <li class="help">{t('historyCannotList', name)}</li>;
  const isProblem = typeof state === 'string';
  const inOptions = isProblem && ['unauthorized', 'forbidden', 'redirected'].includes(state);
  return (
    <li class={isProblem ? 'notice is-warning' : 'help'}>
      <span role={isProblem ? 'alert' : undefined}>{noteText(connection, name, state, store.now.value)}</span>
      {state === 'permission' && (
        <button type="button" class="button" onClick={() => void store.allowAndSync(connection)}>
          {t('allow')}
        </button>
      )}
      {inOptions && (
        <button type="button" class="button" onClick={store.openOptions}>
          {t('openOptions')}
        </button>
      )}
      <IconButton
        icon="retry"
        name={t('readAgainNamed', name)}
        isInactive={typeof state === 'number'}
        press={() => void store.sync(connection)}
      />
    </li>
  );
}

function noteText({ listRead }: Connection, name: string, state: SyncState, now: number): string {
  if (typeof state === 'number') return t('historyReading', name, formatNumber(state));
  const read = listRead ? formatTimeAgo(listRead.at, now) : null;
  if (state !== null)
    return joinSentences(serviceProblemMessage(state, name, 'read'), read === null ? '' : t('historyKept', read));
  // No links have been read yet. The button beside the name starts the first read.
  if (!listRead || read === null) return name;
  return joinSentences(
    t('historyRead', name, read),
    listRead.isCut ? t('historyCut') : '',
    listRead.unreadable > 0 ? plural('historyUnreadable', listRead.unreadable) : '',
  );
}
