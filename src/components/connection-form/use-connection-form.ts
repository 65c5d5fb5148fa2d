import type { Connection as ConnectionLink } from '@terse/contract/connection-link';
import { readableUrl } from '@terse/contract/readable-host';
import { useEffect, useState } from 'preact/hooks';
import type { ConnectionReport } from '../../messages/protocol.ts';
import type { Queue } from '../../queue/types.ts';
import type { ConnectingHandlers, Failure } from './connecting-handlers.ts';
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
  | { kind: 'probed'; report: ConnectionReport; isSaved: boolean }
  | { kind: 'failed'; code: Failure };

const EDITING: Phase = { kind: 'editing' };

export function isBusy({ kind }: Phase): boolean {
  return kind === 'probing';
}

interface FormState {
  draft: Draft;
  /** Draft without the changes of the user. */
  stored: Draft;
  problem: FieldProblem | null;
  phase: Phase;
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
  const [{ draft, stored, problem, phase }, setState] = useState((): FormState => {
    const link = offered && { address: readableUrl(offered.baseUrl), apiKey: offered.apiKey };
    const first = connection && !link ? storedDraft(connection) : { ...EMPTY_DRAFT, ...link };
    return { draft: first, stored: first, problem: null, phase: EDITING };
  });
  const set = (change: Partial<FormState>) => setState((state) => ({ ...state, ...change }));
  const identity = connection && JSON.stringify([connection.lastFour, storedDraft(connection)]);
  useEffect(() => {
    // Right after a new connection was saved, the page may not have read the connection yet.
    if (!connection || offered) return;
    const next = storedDraft(connection);
    setState((state) => {
      const isTyped = !isSameDraft(state.draft, state.stored);
      return { ...state, draft: isTyped ? state.draft : next, stored: next };
    });
  }, [identity]);

  const isStored = connection !== null;
  useEffect(() => {
    // After the connection is removed, the form is for a new connection.
    if (isStored) return () => setState({ draft: EMPTY_DRAFT, stored: EMPTY_DRAFT, problem: null, phase: EDITING });
  }, [isStored]);

  const enter = (change: Partial<Draft>): void =>
    setState((state) => ({
      ...state,
      draft: entered(state.draft, change),
      problem: null,
      // A failure stays visible until the next test or save, because a user who is typing could miss it.
      phase: state.phase.kind === 'probed' ? EDITING : state.phase,
    }));

  /**
   * Tests or saves the connection. Must be called directly in a click or submit handler, before any `await`.
   * Otherwise, the browser refuses the permission request.
   */
  const go = async (what: 'test' | 'save'): Promise<void> => {
    if (isBusy(phase)) return;
    const meant = resolved(draft);
    const checked = checkDraft(meant, hasKey ? (connection?.baseUrl ?? null) : null);
    if ('field' in checked) return set({ draft: meant, problem: checked });
    set({ draft: meant, problem: null, phase: { kind: 'probing' } });
    const input = { ...checked, connectionId: connection?.id ?? null, name: meant.name };
    const answer = await handlers[what](input);
    if (!answer.ok) return set({ phase: { kind: 'failed', code: answer.code } });
    const isSaved = what === 'save';
    const kept = isSaved ? { ...meant, address: readableUrl(checked.baseUrl), apiKey: null } : meant;
    setState((state) => {
      // The result is outdated if the user has typed something since.
      if (state.draft !== meant) return { ...state, phase: EDITING };
      const next: Phase = { kind: 'probed', report: answer.value, isSaved };
      return { draft: kept, stored: isSaved ? kept : state.stored, problem: null, phase: next };
    });
    if (isSaved && answer.value.connectionId) saved(answer.value.connectionId);
  };

  return {
    draft,
    /** True if the user has typed something that is not saved. */
    hasUnsaved: !isSameDraft(draft, stored),
    problem,
    // Hides the result of a save when the connection is blocked, because the result is then outdated.
    phase: phase.kind === 'probed' && phase.isSaved && queue?.state.blocked ? EDITING : phase,
    go,
    enter,
  };
}

export type Connecting = ReturnType<typeof useConnectionForm>;
