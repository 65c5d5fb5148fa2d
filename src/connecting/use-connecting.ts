import type { Connection as ConnectionLink } from '@terse/contract/connection-link';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ConnectionReport } from '../messages/messages.ts';
import type { Connection } from '../queue/types.ts';
import { checkDraft, type Draft, entered, type FieldProblem, resolved } from './connection-draft.ts';
import type { ConnectingHandlers, Failure } from './handlers.ts';

/** How far the form has come. */
export type Phase =
  | { kind: 'editing' }
  | { kind: 'probing' }
  | { kind: 'probed'; report: ConnectionReport; saved: boolean }
  | { kind: 'failed'; code: Failure };

/**
 * The form of a connection: what stands in it, what is wrong with it, and what came of it. What is stored elsewhere (in
 * another tab) appears in it, unless the person has typed something.
 *
 * @param offered a connection the page was opened with: it stands in the form, and nothing is done with it unasked
 * @param saved called with the id of the connection that was stored
 * @param hasKey false for a connection that came from a file, without its key
 */
export function useConnecting(
  connection: Connection | null,
  offered: ConnectionLink | null,
  handlers: ConnectingHandlers,
  saved: (connectionId: string) => void,
  hasKey = true,
) {
  const [draft, setDraft] = useState<Draft>(() => (offered ? draftOf(offered) : storedDraft(connection)));
  const [problem, setProblem] = useState<FieldProblem | null>(null);
  const [phase, setPhase] = useState<Phase>({ kind: 'editing' });
  const touched = useRef(offered !== null);
  useEffect(() => {
    if (!touched.current) setDraft(storedDraft(connection));
  }, [connection?.id, connection?.baseUrl, connection?.lastFour, connection?.name]);

  /** Nothing is awaited before the handler: it asks the browser for permission, which has to happen in the click. */
  const go = async (what: 'test' | 'save') => {
    if (phase.kind === 'probing') return;
    const meant = resolved(draft);
    const checked = checkDraft(meant, hasKey ? (connection?.baseUrl ?? null) : null);
    setDraft(meant);
    if ('field' in checked) return setProblem(checked);
    setProblem(null);
    setPhase({ kind: 'probing' });
    const answer = await handlers[what]({ ...checked, connectionId: connection?.id ?? null, name: meant.name });
    if (!answer.ok) return setPhase({ kind: 'failed', code: answer.code });
    setPhase({ kind: 'probed', report: answer.value, saved: what === 'save' });
    if (what !== 'save') return;
    touched.current = false;
    setDraft({ address: checked.baseUrl, apiKey: null, name: meant.name });
    if (answer.value.connectionId) saved(answer.value.connectionId);
  };

  return {
    draft,
    problem,
    phase,
    go,
    enter: (change: Partial<Draft>) => {
      touched.current = true;
      setDraft(entered(draft, change));
      setProblem(null);
      setPhase({ kind: 'editing' });
    },
  };
}

export type Connecting = ReturnType<typeof useConnecting>;

function draftOf({ baseUrl, apiKey }: ConnectionLink): Draft {
  return { address: baseUrl, apiKey, name: '' };
}

function storedDraft(connection: Connection | null): Draft {
  if (!connection) return { address: '', apiKey: '', name: '' };
  return { address: connection.baseUrl, apiKey: null, name: connection.name };
}
