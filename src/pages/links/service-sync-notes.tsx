import { IconButton } from '../../components/icons.tsx';
import { connectionNames } from '../../format/display-text.ts';
import { formatNumber, joinSentences, plural, t } from '../../format/i18n.ts';
import { formatTimeAgo } from '../../format/relative-time.ts';
import { serviceProblemMessage as problemSentence } from '../../format/status-text.ts';
import { IDLE, type SyncState } from '../../link-sync/use-service-sync.ts';
import type { Connection } from '../../queue/types.ts';
import { capabilitiesOf } from '../../servers/capabilities.ts';

interface ServiceSyncNotesProps {
  /** True to show only servers whose links could not be read. False to show only the other servers. */
  isProblem: boolean;
  connections: Connection[];
  states: ReadonlyMap<string, SyncState>;
  now: number;
  readAgain: (connection: Connection) => void;
  allowAccess: (connection: Connection) => void;
  openOptions: () => void;
}

/** Shows the time at which each server's list was read, or the reason why the list could not be read. */
export function ServiceSyncNotes({ isProblem, connections, states, now, ...can }: ServiceSyncNotesProps) {
  const names = connectionNames(connections);
  const hasProblem = ({ id }: Connection) => Boolean(states.get(id)?.problem);
  const noted = connections.filter((one) => hasProblem(one) === isProblem);
  if (noted.length === 0) return null;
  return (
    <ul class="history">
      {noted.map((connection) => (
        <Note
          key={connection.id}
          connection={connection}
          name={names.get(connection.id) ?? ''}
          state={states.get(connection.id) ?? IDLE}
          now={now}
          {...can}
        />
      ))}
    </ul>
  );
}

type NoteProps = Omit<ServiceSyncNotesProps, 'isProblem' | 'connections' | 'states'> & {
  connection: Connection;
  name: string;
  state: SyncState;
};

function Note({ connection, name, state, now, readAgain, allowAccess, openOptions }: NoteProps) {
  const { reading, problem } = state;
  if (!capabilitiesOf(connection).list) return <li class="help">{t('historyCannotList', name)}</li>;
  const inOptions = problem === 'unauthorized' || problem === 'forbidden' || problem === 'redirected';
  return (
    <li class={problem ? 'history-note is-problem' : 'history-note help'}>
      <span role={problem ? 'alert' : undefined}>{noteText(connection, name, state, now)}</span>
      {problem === 'permission' && (
        <button type="button" class="button" onClick={() => allowAccess(connection)}>
          {t('allow')}
        </button>
      )}
      {inOptions && (
        <button type="button" class="button" onClick={openOptions}>
          {t('openOptions')}
        </button>
      )}
      <IconButton
        icon="retry"
        name={t('readAgainNamed', name)}
        disabled={reading !== null}
        press={() => readAgain(connection)}
      />
    </li>
  );
}

function noteText({ listRead }: Connection, name: string, { reading, problem }: SyncState, now: number): string {
  if (reading !== null) return t('historyReading', name, formatNumber(reading));
  const read = listRead ? formatTimeAgo(listRead.at, now) : null;
  if (problem)
    return joinSentences(problemSentence(problem, name, 'read'), read === null ? '' : t('historyKept', read));
  // No links have been read yet. The button beside the name starts the first read.
  if (!listRead || read === null) return name;
  return joinSentences(
    t('historyRead', name, read),
    listRead.isCut ? t('historyCut') : '',
    listRead.unreadable > 0 ? plural('historyUnreadable', listRead.unreadable) : '',
  );
}
