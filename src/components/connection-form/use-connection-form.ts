import type { Connection as ConnectionLink } from '@terse/contract/connection-link';
import { readableUrl } from '@terse/contract/readable-host';
import { useEffect, useReducer } from 'preact/hooks';
import type { ConnectionReport } from '../../messages/protocol.ts';
import type { Connection, Queue } from '../../queue/types.ts';
import type { Answer, ConnectingHandlers, Failure } from './connecting-handlers.ts';
import {
  checkDraft,
  type Draft,
  EMPTY_DRAFT,
  entered,
  type FieldProblem,
  isSameDraft,
  resolved,
  storedDraft,
} from './connection-draft.ts';

/** Current activity of the form, or the result of the last test or save. */
export type Phase =
  | { kind: 'editing' }
  | { kind: 'probing' }
  | { kind: 'probed'; report: ConnectionReport; saved: Saved | null }
  | { kind: 'failed'; code: Failure };

/**
 * Address and last four key characters of a connection when it was saved. If these values change later, the form
 * hides the result of the save.
 */
type Saved = Pick<Connection, 'baseUrl' | 'lastFour'>;

const EDITING: Phase = { kind: 'editing' };
const PROBING: Phase = { kind: 'probing' };

export function isBusy({ kind }: Phase): boolean {
  return kind === 'probing';
}

interface FormState {
  draft: Draft;
  /** Draft without the changes of the user. */
  stored: Draft;
  problem: FieldProblem | null;
  phase: Phase;
  /** True if the user has typed something since the test or save started. */
  isOutdated: boolean;
}

type FormEvent =
  | { type: 'entered'; change: Partial<Draft> }
  | { type: 'asked'; draft: Draft; problem: FieldProblem | null }
  | { type: 'answered'; answer: Answer<ConnectionReport>; saved: Saved | null }
  /** The stored connection is different from the one that the form showed before. */
  | { type: 'stored'; connection: Connection };

function changed(state: FormState, event: FormEvent): FormState {
  const { draft, stored, phase } = state;
  switch (event.type) {
    case 'entered':
      return {
        ...state,
        draft: entered(draft, event.change),
        isOutdated: true,
        problem: null,
        // A failure stays visible until the next test or save, because a user who is typing could miss it.
        phase: phase.kind === 'probed' ? EDITING : phase,
      };
    case 'asked': {
      const { draft, problem } = event;
      return problem ? { ...state, draft, problem } : { ...state, draft, problem, phase: PROBING, isOutdated: false };
    }
    case 'answered': {
      const { answer, saved } = event;
      if (!answer.ok) return { ...state, phase: { kind: 'failed', code: answer.code } };
      if (state.isOutdated) return { ...state, phase: EDITING };
      const probed: Phase = { kind: 'probed', report: answer.value, saved };
      if (!saved) return { ...state, phase: probed };
      const kept = { ...draft, address: readableUrl(saved.baseUrl), apiKey: null };
      return { ...state, draft: kept, stored: kept, phase: probed };
    }
    case 'stored': {
      const { connection } = event;
      const next = storedDraft(connection);
      const isTyped = !isSameDraft(draft, stored);
      const isStale = phase.kind === 'probed' && (phase.saved ? !isAbout(phase.saved, connection) : !isTyped);
      return { ...state, draft: isTyped ? draft : next, stored: next, phase: isStale ? EDITING : phase };
    }
  }
}

function isAbout(saved: Saved, connection: Connection): boolean {
  if (connection.baseUrl !== saved.baseUrl) return false;
  return connection.lastFour === '' || connection.lastFour === saved.lastFour;
}

/**
 * Holds the state of a connection form, including the result of the last test or save. If the stored connection
 * changes, the form shows the change, unless the user has typed something.
 *
 * @param queue queue of the stored connection, or null for a new connection
 * @param offered connection from a connection link. Its data fills in the form, but is not sent before the user
 * confirms.
 * @param saved called with the id of the connection when it has been stored
 */
export function useConnectionForm(
  queue: Queue | null,
  offered: ConnectionLink | null,
  handlers: ConnectingHandlers,
  saved: (connectionId: string) => void = () => {},
) {
  const connection = queue?.connection ?? null;
  // A connection from an imported file has no key.
  const hasKey = queue?.state.blocked !== 'key_missing';
  const [{ draft, stored, problem, phase }, dispatch] = useReducer(changed, null, (): FormState => {
    const link = offered && { address: readableUrl(offered.baseUrl), apiKey: offered.apiKey };
    const draft = connection && !link ? storedDraft(connection) : { ...EMPTY_DRAFT, ...link };
    return { draft, stored: draft, problem: null, phase: EDITING, isOutdated: false };
  });
  const identity = connection && JSON.stringify([connection.lastFour, storedDraft(connection)]);
  useEffect(() => {
    // Right after a new connection was saved, the page may not have read the connection yet.
    if (connection && !offered) dispatch({ type: 'stored', connection });
  }, [identity]);

  /**
   * Tests or saves the connection. Must be called directly in a click or submit handler, before any `await`.
   * Otherwise, the browser refuses the permission request.
   */
  const go = async (what: 'test' | 'save') => {
    if (isBusy(phase)) return;
    const meant = resolved(draft);
    const checked = checkDraft(meant, hasKey ? (connection?.baseUrl ?? null) : null);
    if ('field' in checked) return dispatch({ type: 'asked', draft: meant, problem: checked });
    dispatch({ type: 'asked', draft: meant, problem: null });
    const input = { ...checked, connectionId: connection?.id ?? null, name: meant.name };
    const answer = await handlers[what](input);
    const lastFour = checked.apiKey?.slice(-4) ?? connection?.lastFour ?? '';
    dispatch({ type: 'answered', answer, saved: what === 'save' ? { baseUrl: checked.baseUrl, lastFour } : null });
    if (what === 'save' && answer.ok && answer.value.connectionId) saved(answer.value.connectionId);
  };

  return {
    draft,
    /** True if the user has typed something that is not saved. */
    hasUnsaved: !isSameDraft(draft, stored),
    problem,
    // Hides the result of a save when the connection is blocked, because the result is then outdated.
    phase: phase.kind === 'probed' && phase.saved && queue?.state.blocked ? EDITING : phase,
    go,
    enter: (change: Partial<Draft>) => dispatch({ type: 'entered', change }),
  };
}

export type Connecting = ReturnType<typeof useConnectionForm>;
