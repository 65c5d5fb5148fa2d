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

/** What the form is doing, or the result of the last test or save. */
export type Phase =
  | { kind: 'editing' }
  /** The browser is asking the user to allow access to the address. */
  | { kind: 'asking' }
  | { kind: 'probing' }
  | { kind: 'probed'; report: ConnectionReport; saved: Saved | null }
  | { kind: 'failed'; code: Failure };

/**
 * Address and last four key characters of a connection when it was saved. If these values change later, the form
 * hides the result of the save.
 */
type Saved = Pick<Connection, 'baseUrl' | 'lastFour'>;

const EDITING: Phase = { kind: 'editing' };

export function isBusy({ kind }: Phase): boolean {
  return kind === 'asking' || kind === 'probing';
}

interface FormState {
  draft: Draft;
  /** True if the draft contains something that the user entered and that is not stored. */
  isTyped: boolean;
  problem: FieldProblem | null;
  phase: Phase;
  /** True if the user has typed something since the test or save started. */
  isOutdated: boolean;
}

type FormEvent =
  | { type: 'entered'; change: Partial<Draft> }
  | { type: 'asked'; draft: Draft; problem: FieldProblem | null }
  | { type: 'granted' }
  | { type: 'answered'; answer: Answer<ConnectionReport>; saved: Saved | null }
  /** The stored connection is different from the one that the form showed before. */
  | { type: 'stored'; connection: Connection };

function changed(state: FormState, event: FormEvent): FormState {
  const { draft, phase } = state;
  switch (event.type) {
    case 'entered':
      return {
        ...state,
        draft: entered(draft, event.change),
        isTyped: true,
        isOutdated: true,
        problem: null,
        // A failure stays visible until the next test or save, because a user who is typing could miss it.
        phase: phase.kind === 'probed' ? EDITING : phase,
      };
    case 'asked':
      return event.problem
        ? { ...state, draft: event.draft, problem: event.problem }
        : { ...state, draft: event.draft, problem: null, phase: { kind: 'asking' }, isOutdated: false };
    case 'granted':
      return { ...state, phase: { kind: 'probing' } };
    case 'answered': {
      const { answer, saved } = event;
      if (!answer.ok) return { ...state, phase: { kind: 'failed', code: answer.code } };
      if (state.isOutdated) return { ...state, phase: EDITING };
      const probed: Phase = { kind: 'probed', report: answer.value, saved };
      if (!saved) return { ...state, phase: probed };
      return {
        ...state,
        draft: { ...draft, address: readableUrl(saved.baseUrl), apiKey: null },
        isTyped: false,
        phase: probed,
      };
    }
    case 'stored': {
      const { connection } = event;
      const isStale = phase.kind === 'probed' && (phase.saved ? !isAbout(phase.saved, connection) : !state.isTyped);
      const next = isStale ? { ...state, phase: EDITING } : state;
      return next.isTyped ? next : { ...next, draft: storedDraft(connection) };
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
  const before = offered
    ? { ...EMPTY_DRAFT, address: readableUrl(offered.baseUrl), apiKey: offered.apiKey }
    : connection
      ? storedDraft(connection)
      : EMPTY_DRAFT;
  const first: FormState = {
    draft: before,
    isTyped: offered !== null,
    problem: null,
    phase: EDITING,
    isOutdated: false,
  };
  const [{ draft, isTyped, problem, phase }, dispatch] = useReducer(changed, first);
  const stored = connection && JSON.stringify([connection.lastFour, storedDraft(connection)]);
  useEffect(() => {
    // Right after a new connection was saved, the page may not have read the connection yet.
    if (connection) dispatch({ type: 'stored', connection });
  }, [stored]);

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
    const answer = await handlers[what](input, () => dispatch({ type: 'granted' }));
    const lastFour = checked.apiKey?.slice(-4) ?? connection?.lastFour ?? '';
    dispatch({ type: 'answered', answer, saved: what === 'save' ? { baseUrl: checked.baseUrl, lastFour } : null });
    if (what === 'save' && answer.ok && answer.value.connectionId) saved(answer.value.connectionId);
  };

  return {
    draft,
    /** True if the user has typed something that is not saved. */
    hasUnsaved: isTyped && !isSameDraft(draft, before),
    problem,
    // Hides the result of a save when the connection is blocked, because the result is then outdated.
    phase: phase.kind === 'probed' && phase.saved && queue?.state.blocked ? EDITING : phase,
    go,
    enter: (change: Partial<Draft>) => dispatch({ type: 'entered', change }),
  };
}

export type Connecting = ReturnType<typeof useConnectionForm>;
