import { IconButton } from '../../components/icons.tsx';
import { formatNumber, joinSentences, plural, t } from '../../format/i18n.ts';
import { formatTimeAgo } from '../../format/relative-time.ts';
import { serviceProblemMessage } from '../../format/status-text.ts';
import type { Connection } from '../../queue/types.ts';
import { capabilitiesOf } from '../../servers/capabilities.ts';
import type { LinksStore, SyncState } from './links-store.ts';

interface ServiceSyncNotesProps {
  /** True to show only servers whose links could not be read. False to show only the other servers. */
  isProblem: boolean;
  store: LinksStore;
}

const IDLE: SyncState = { reading: null, problem: null };

/** Shows the time at which each server's list was read, or the reason why the list could not be read. */
export function ServiceSyncNotes({ isProblem, store }: ServiceSyncNotesProps) {
  const connections = store.connections.value;
  const names = store.names.value;
  const stateOf = ({ id }: Connection) => store.syncs.value.get(id) ?? IDLE;
  const noted = connections.filter((one) => (stateOf(one).problem !== null) === isProblem);
  if (noted.length === 0) return null;
  return (
    <ul class="history">
      {noted.map((connection) => (
        <Note
          key={connection.id}
          name={names.get(connection.id) ?? ''}
          state={stateOf(connection)}
          {...{ connection, store }}
        />
      ))}
    </ul>
  );
}

interface NoteProps {
  connection: Connection;
  name: string;
  state: SyncState;
  store: LinksStore;
}

function Note({ connection, name, state, store }: NoteProps) {
  const { reading, problem } = state;
  if (!capabilitiesOf(connection).list) return <li class="help">{t('historyCannotList', name)}</li>;
  const inOptions = problem === 'unauthorized' || problem === 'forbidden' || problem === 'redirected';
  return (
    <li class={problem ? 'notice is-warning' : 'help'}>
      <span role={problem ? 'alert' : undefined}>{noteText(connection, name, state, store.now.value)}</span>
      {problem === 'permission' && (
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
        disabled={reading !== null}
        press={() => void store.sync(connection)}
      />
    </li>
  );
}

function noteText({ listRead }: Connection, name: string, { reading, problem }: SyncState, now: number): string {
  if (reading !== null) return t('historyReading', name, formatNumber(reading));
  const read = listRead ? formatTimeAgo(listRead.at, now) : null;
  if (problem)
    return joinSentences(serviceProblemMessage(problem, name, 'read'), read === null ? '' : t('historyKept', read));
  // No links have been read yet. The button beside the name starts the first read.
  if (!listRead || read === null) return name;
  return joinSentences(
    t('historyRead', name, read),
    listRead.isCut ? t('historyCut') : '',
    listRead.unreadable > 0 ? plural('historyUnreadable', listRead.unreadable) : '',
  );
}
