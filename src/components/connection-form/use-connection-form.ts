import type { Connection as ConnectionLink } from '@terse/contract/connection-link';
import { useEffect, useRef, useState } from 'preact/hooks';
import { removeHostPermission, requestHostPermission } from '../../browser/host-permissions.ts';
import { sendToBackgroundWithRetry } from '../../messages/ask-background.ts';
import type { ConnectionReport, Message, RefusalCode } from '../../messages/protocol.ts';
import type { Connection, Queue, VisibleQueues } from '../../queue/types.ts';
import { checkDraft, type Draft, entered, type FieldProblem, resolved } from './validate-connection.ts';

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
export function useConnectionForm(
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

export type Connecting = ReturnType<typeof useConnectionForm>;

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

/**
 * Probing and storing connections, over the browser and the background.
 *
 * @param before the addresses that were connected when the page was rendered
 * @param refresh reads the queues as they are now
 */
export function connectingHandlers(
  before: string[],
  refresh: () => Promise<VisibleQueues>,
): ConnectingHandlers & { giveBackUnused: (addresses: string[]) => Promise<void> } {
  const giveBackUnused = async (addresses: string[]) => {
    const view = await refresh().catch(() => null);
    // Where it cannot be read what is connected, nothing is given back: what was asked for is answered all the same.
    if (!view) return;
    const connected = view.queues.map(({ connection }) => connection.baseUrl);
    for (const address of new Set(addresses)) await removeHostPermission(address, connected);
  };
  /** Probes a service, connected to it then or not: where not, its permission is not kept. */
  const probe = async (message: Message, address: string, granted: () => void) => {
    if (!(await requestHostPermission(address))) return { ok: false, code: 'denied' } as const;
    granted();
    const answer = await answerTo<ConnectionReport>(message);
    await giveBackUnused([address, ...before]);
    return answer;
  };
  return {
    test: ({ connectionId, baseUrl, apiKey }, granted) =>
      probe({ type: 'test-connection', connectionId, baseUrl, apiKey }, baseUrl, granted),
    save: (input, granted) => probe({ type: 'save-connection', ...input }, input.baseUrl, granted),
    giveBackUnused,
  };
}

/** What the background answers, or that it never did. */
export async function answerTo<T = null>(message: Message): Promise<Answer<T>> {
  try {
    return await sendToBackgroundWithRetry<T>(message);
  } catch {
    return { ok: false, code: 'lost' };
  }
}

/** `denied`: the person's answer to the browser's question. `lost`: the background never answered. */
export type Failure = RefusalCode | 'denied' | 'lost';

export type Answer<T> = { ok: true; value: T } | { ok: false; code: Failure };

/** A connection as it stands in a form. A null id: a new one. A null key: the stored one stays. */
export interface ConnectionInput {
  connectionId: string | null;
  name: string;
  baseUrl: string;
  apiKey: string | null;
}

/** What the form of a connection can do. Called inside the click, so that permission can be asked for. */
export interface ConnectingHandlers {
  /**
   * Asks for access to the address's origin, then probes the service there. Spends no budget.
   *
   * @param granted called once the user has allowed the access
   */
  test: (input: ConnectionInput, granted: () => void) => Promise<Answer<ConnectionReport>>;
  /** The same, and stores the connection, unless the service refuses the key. */
  save: (input: ConnectionInput, granted: () => void) => Promise<Answer<ConnectionReport>>;
}
