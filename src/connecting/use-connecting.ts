import type { Connection as ConnectionLink } from '@terse/contract/connection-link';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ConnectionReport } from '../messages/messages.ts';
import type { Connection, Queue } from '../queue/types.ts';
import { checkDraft, type Draft, entered, type FieldProblem, resolved } from './connection-draft.ts';
import type { ConnectingHandlers, Failure } from './handlers.ts';

/** How far the form has come. */
export type Phase =
  | { kind: 'editing' }
  /** The browser asks the user to allow access to the address. */
  | { kind: 'asking' }
  | { kind: 'probing' }
  | { kind: 'probed'; report: ConnectionReport; saved: Saved | null }
  /** `isEarlier`: what was to be saved was changed in the form meanwhile. */
  | { kind: 'failed'; code: Failure; isEarlier?: boolean };

/** What was saved, as far as it can be told from a stored connection. */
type Saved = Pick<Connection, 'baseUrl' | 'lastFour'>;

export const EDITING: Phase = { kind: 'editing' };

export function isBusy({ kind }: Phase): boolean {
  return kind === 'asking' || kind === 'probing';
}

/**
 * The form of a connection: what stands in it, what is wrong with it, and what came of it. What is stored elsewhere (in
 * another tab) appears in it, unless the person has typed something.
 *
 * @param queue the connection's, as it is stored; null: there is none yet
 * @param offered a connection the page was opened with: it stands in the form, and nothing is done with it unasked
 * @param ended `saved` is called with the id of the connection that was stored, `left` where the last save failed, and its form is gone or has asked something else since
 */
export function useConnecting(
  queue: Queue | null,
  offered: ConnectionLink | null,
  handlers: ConnectingHandlers,
  ended: { saved?: (connectionId: string) => void; left?: (code: Failure) => void } = {},
) {
  const connection = queue?.connection ?? null;
  // One that came from a file has no key.
  const hasKey = queue?.state.halt !== 'key_missing';
  const [draft, setDraft] = useState<Draft>(() => (offered ? draftOf(offered) : storedDraft(connection)));
  const [problem, setProblem] = useState<FieldProblem | null>(null);
  const [phase, setPhase] = useState<Phase>(EDITING);
  const touched = useRef(offered !== null);
  /** Counts what was asked and what was typed since: an answer to anything but the latest of it is about something else. */
  const latest = useRef(0);
  /** Counts what was asked alone: a save that failed is said whatever was typed since. */
  const questions = useRef(0);
  /** The last question that was a save. */
  const lastSave = useRef(0);
  const isThere = useRef(true);
  useEffect(
    () => () => {
      isThere.current = false;
    },
    [],
  );
  useEffect(() => {
    if (!touched.current) setDraft(storedDraft(connection));
    setPhase((found) => (isAbout(found, connection, touched.current) ? found : EDITING));
  }, [connection?.id, connection?.baseUrl, connection?.lastFour, connection?.name]);

  /** Nothing is awaited before the handler: it asks the browser for permission, which has to happen in the click. */
  const go = async (what: 'test' | 'save') => {
    if (isBusy(phase)) return;
    const meant = resolved(draft);
    const checked = checkDraft(meant, hasKey ? (connection?.baseUrl ?? null) : null);
    setDraft(meant);
    if ('field' in checked) return setProblem(checked);
    setProblem(null);
    setPhase({ kind: 'asking' });
    const granted = () => setPhase((found) => (found.kind === 'asking' ? { kind: 'probing' } : found));
    latest.current += 1;
    questions.current += 1;
    const [asked, question] = [latest.current, questions.current];
    const isSave = what === 'save';
    if (isSave) lastSave.current = question;
    const answer = await handlers[what](
      { ...checked, connectionId: connection?.id ?? null, name: meant.name },
      granted,
    );
    const isEarlier = asked !== latest.current;
    if (!answer.ok) {
      const isLatest = question === questions.current && (isSave || !isEarlier);
      if (isLatest && isThere.current) setPhase({ kind: 'failed', code: answer.code, isEarlier });
      else if (question === lastSave.current) ended.left?.(answer.code);
      return;
    }
    if (!isEarlier) {
      const { baseUrl, apiKey } = checked;
      const lastFour = apiKey?.slice(-4) ?? connection?.lastFour ?? '';
      setPhase({ kind: 'probed', report: answer.value, saved: isSave ? { baseUrl, lastFour } : null });
      if (isSave) {
        touched.current = false;
        setDraft({ address: baseUrl, apiKey: null, name: meant.name });
      }
    }
    if (isSave && answer.value.connectionId) ended.saved?.(answer.value.connectionId);
  };

  return {
    draft,
    problem,
    // What was found when it was saved says nothing of a connection that has failed since.
    phase: phase.kind === 'probed' && phase.saved && queue?.state.halt ? EDITING : phase,
    go,
    enter: (change: Partial<Draft>) => {
      touched.current = true;
      latest.current += 1;
      setDraft(entered(draft, change));
      setProblem(null);
      // Whoever is typing as it fails would not see that it did: it is said until something is asked again.
      setPhase((found) => (found.kind === 'failed' && found.isEarlier ? found : EDITING));
    },
  };
}

export type Connecting = ReturnType<typeof useConnecting>;

/** Whether what was found says something of what the form shows: what was typed, or the connection that is stored. */
function isAbout(found: Phase, connection: Connection | null, isTyped: boolean): boolean {
  if (isBusy(found)) return true;
  if (found.kind !== 'probed' || !found.saved) return isTyped;
  const { report, saved } = found;
  const isSameKey = connection?.lastFour === '' || connection?.lastFour === saved.lastFour;
  return report.connectionId === connection?.id && saved.baseUrl === connection?.baseUrl && isSameKey;
}

function draftOf({ baseUrl, apiKey }: ConnectionLink): Draft {
  return { address: baseUrl, apiKey, name: '' };
}

function storedDraft(connection: Connection | null): Draft {
  if (!connection) return { address: '', apiKey: '', name: '' };
  return { address: connection.baseUrl, apiKey: null, name: connection.name };
}
