import { FEATURE } from '@terse/contract/features';
import { problemSentence } from '../history/problem-sentence.ts';
import { type HistoryState, IDLE } from '../history/use-history.ts';
import { has } from '../queue/features.ts';
import type { Connection } from '../queue/types.ts';
import { connectionNames } from '../ui/connections.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { number, plural, sentences, t } from '../ui/strings.ts';
import { ago } from '../ui/when.ts';

interface HistoryNotesProps {
  connections: Connection[];
  states: ReadonlyMap<string, HistoryState>;
  now: number;
  canKeep: boolean;
  readAgain: (connection: Connection) => void;
  allowAccess: (connection: Connection) => void;
  openOptions: () => void;
}

/** How old what is shown of each service is, and what keeps it from being newer. */
export function HistoryNotes({ connections, states, now, ...can }: HistoryNotesProps) {
  const names = connectionNames(connections);
  // Where nothing was read, and nothing can be, there is nothing to say.
  const noted = connections.filter((one) => can.canKeep || one.listRead || !has(one, FEATURE.links));
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

type NoteProps = Omit<HistoryNotesProps, 'connections' | 'states'> & {
  connection: Connection;
  name: string;
  state: HistoryState;
};

function Note({ connection, name, state, now, canKeep, readAgain, allowAccess, openOptions }: NoteProps) {
  const { reading, problem } = state;
  if (!has(connection, FEATURE.links)) return <li class="help">{t('historyCannotList', name)}</li>;
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
      {canKeep && (
        <IconButton
          icon="retry"
          name={t('readAgainNamed', name)}
          disabled={reading !== null}
          press={() => readAgain(connection)}
        />
      )}
    </li>
  );
}

function noteText({ listRead }: Connection, name: string, { reading, problem }: HistoryState, now: number): string {
  if (reading !== null) return t('historyReading', name, number(reading));
  const read = listRead ? ago(listRead.at, now) : null;
  if (problem) return sentences(problemSentence(problem, name, 'read'), read === null ? '' : t('historyKept', read));
  // Nothing has been read, and nothing is being: the button beside it reads this service's.
  if (!listRead || read === null) return name;
  return sentences(
    t('historyRead', name, read),
    listRead.isCut ? t('historyCut') : '',
    listRead.unreadable > 0 ? plural('historyUnreadable', listRead.unreadable) : '',
  );
}
