import type { Connection as ConnectionLink } from '@terse/contract/connection-link';
import { readableUrl } from '@terse/contract/readable-host';
import { useEffect, useRef, useState } from 'preact/hooks';
import { removeHostPermission, requestHostPermission } from '../../browser/host-permissions.ts';
import { sendToBackgroundWithRetry } from '../../messages/ask-background.ts';
import type { ConnectionReport, Message, RefusalCode, ServerSettings } from '../../messages/protocol.ts';
import type { Connection, Queue, VisibleQueues } from '../../queue/types.ts';
import { checkDraft, type Draft, entered, type FieldProblem, resolved } from './normalize-and-validate-input.ts';
import { NO_SETTINGS, storedSettings } from './server-settings.ts';

/** State of the form. */
export type Phase =
  | { kind: 'editing' }
  /** The browser is asking the user to allow access to the address. */
  | { kind: 'asking' }
  | { kind: 'probing' }
  | { kind: 'probed'; report: ConnectionReport; saved: Saved | null }
  /** `isEarlier`: the user has changed the form since the failed test or save started. */
  | { kind: 'failed'; code: Failure; isEarlier?: boolean };

/**
 * Address and last four key characters of a connection when it was saved. If these values change later, the form
 * hides the result of the save.
 */
type Saved = Pick<Connection, 'baseUrl' | 'lastFour'>;

export const EDITING: Phase = { kind: 'editing' };

export function isBusy({ kind }: Phase): boolean {
  return kind === 'asking' || kind === 'probing';
}

/**
 * Holds the state of a connection form, including the result of the last test or save. If the stored connection
 * changes, the form shows the change, unless the user has typed something.
 *
 * @param queue queue of the stored connection, or null for a new connection
 * @param offered connection from a connection link. Its data fills in the form, but is not sent before the user
 * confirms.
 * @param ended functions that are called when a save ends. `saved` receives the id of the stored connection. `left`
 * receives the error code if the form was closed or another test was started.
 */
export function useConnectionForm(
  queue: Queue | null,
  offered: ConnectionLink | null,
  handlers: ConnectingHandlers,
  ended: { saved?: (connectionId: string) => void; left?: (code: Failure) => void } = {},
) {
  const connection = queue?.connection ?? null;
  // A connection from an imported file has no key.
  const hasKey = queue?.state.halt !== 'key_missing';
  const before = offered ? draftOf(offered) : storedDraft(connection);
  const [draft, setDraft] = useState<Draft>(before);
  const [problem, setProblem] = useState<FieldProblem | null>(null);
  const [phase, setPhase] = useState<Phase>(EDITING);
  const touched = useRef(offered !== null);
  /**
   * Sequence number of the latest test, save or edit. Results with a lower number do not describe the current form.
   */
  const latest = useRef(0);
  /** Sequence number of the latest test or save. Typing does not change this number. */
  const questions = useRef(0);
  /** Sequence number of the latest save. */
  const lastSave = useRef(0);
  const isThere = useRef(true);
  useEffect(
    () => () => {
      isThere.current = false;
    },
    [],
  );
  const settings = connection && JSON.stringify(storedSettings(connection));
  useEffect(() => {
    if (!touched.current) setDraft(storedDraft(connection));
    setPhase((found) => (isAbout(found, connection, touched.current) ? found : EDITING));
  }, [connection?.id, connection?.baseUrl, connection?.lastFour, connection?.name, settings]);

  /**
   * Tests or saves the connection. Must be called directly in a click or submit handler, before any `await`.
   * Otherwise, the browser refuses the permission request.
   */
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
        setDraft({ ...meant, address: readableUrl(baseUrl), apiKey: null });
      }
    }
    if (isSave && answer.value.connectionId) ended.saved?.(answer.value.connectionId);
  };

  return {
    draft,
    /** True if the user has typed something that is not saved. */
    hasUnsaved: touched.current && !isEqual(draft, before),
    problem,
    // Hides the result of a save when the connection is blocked, because the result is then outdated.
    phase: phase.kind === 'probed' && phase.saved && queue?.state.halt ? EDITING : phase,
    go,
    enter: (change: Partial<Draft>) => {
      touched.current = true;
      latest.current += 1;
      setDraft(entered(draft, change));
      setProblem(null);
      // A user who is typing when the failure occurs could miss the message, so the message stays until the next test
      // or save.
      setPhase((found) => (found.kind === 'failed' && found.isEarlier ? found : EDITING));
    },
  };
}

export type Connecting = ReturnType<typeof useConnectionForm>;

/** True if the form may still show its result after the stored connection has changed. */
function isAbout(found: Phase, connection: Connection | null, isTyped: boolean): boolean {
  if (isBusy(found)) return true;
  if (found.kind !== 'probed' || !found.saved) return isTyped;
  const { report, saved } = found;
  const isSameKey = connection?.lastFour === '' || connection?.lastFour === saved.lastFour;
  return report.connectionId === connection?.id && saved.baseUrl === connection?.baseUrl && isSameKey;
}

function isEqual(one: Draft, other: Draft): boolean {
  const isSameKey = (one.apiKey ?? '') === (other.apiKey ?? '');
  return isSameKey && one.address === other.address && one.name === other.name;
}

function draftOf({ baseUrl, apiKey }: ConnectionLink): Draft {
  return { ...NO_SETTINGS, address: readableUrl(baseUrl), apiKey, name: '' };
}

function storedDraft(connection: Connection | null): Draft {
  if (!connection) return { ...NO_SETTINGS, address: '', apiKey: '', name: '' };
  return {
    ...storedSettings(connection),
    address: readableUrl(connection.baseUrl),
    apiKey: null,
    name: connection.name,
  };
}

/**
 * Tests and saves connections. Asks the browser for permissions and sends messages to the background worker.
 *
 * @param before addresses of the stored connections when the page was rendered
 * @param refresh re-reads the queues
 */
export function connectingHandlers(before: string[], refresh: () => Promise<VisibleQueues>) {
  const giveBackUnused = async (addresses: string[]) => {
    const view = await refresh().catch(() => null);
    // If the connections cannot be read, it is unknown which permissions are still needed.
    if (!view) return;
    const connected = view.queues.map(({ connection }) => connection.baseUrl);
    for (const address of new Set(addresses)) await removeHostPermission(address, connected);
  };
  /** Probes a server. If the server is not connected afterwards, the host permission is removed again. */
  const probe = async (message: Message, address: string, granted: () => void) => {
    if (!(await requestHostPermission(address))) return { ok: false, code: 'denied' } as const;
    granted();
    const answer = await answerTo<ConnectionReport>(message);
    await giveBackUnused([address, ...before]);
    return answer;
  };
  return {
    /**
     * Asks the user for permission to access the server, and then tests the connection without using quota.
     *
     * @param granted called when the user has allowed access
     */
    test: ({ name: _, ...input }: ConnectionInput, granted: () => void) =>
      probe({ type: 'test-connection', ...input }, input.baseUrl, granted),
    /** Tests a connection like `test`, and then stores the connection unless the server refuses the key. */
    save: (input: ConnectionInput, granted: () => void) =>
      probe({ type: 'save-connection', ...input }, input.baseUrl, granted),
    giveBackUnused,
  };
}

/** Returns the background worker's reply, or the code `lost` if the worker never replied. */
export async function answerTo<T = null>(message: Message): Promise<Answer<T>> {
  try {
    return await sendToBackgroundWithRetry<T>(message);
  } catch {
    return { ok: false, code: 'lost' };
  }
}

/** `denied`: the user refused the host permission. `lost`: the background worker never replied. */
export type Failure = RefusalCode | 'denied' | 'lost';

export type Answer<T> = { ok: true; value: T } | { ok: false; code: Failure };

/**
 * A connection as entered in a form. `connectionId` is null for a new connection. A null `apiKey` keeps the stored
 * key.
 */
export interface ConnectionInput extends Required<ServerSettings> {
  connectionId: string | null;
  name: string;
  baseUrl: string;
  apiKey: string | null;
}

/** Actions of a connection form. They must be called in the click handler, so that they can request permissions. */
export type ConnectingHandlers = Omit<ReturnType<typeof connectingHandlers>, 'giveBackUnused'>;
