import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Connection as ConnectionLink } from '@terse/contract/connection-link';
import { readableUrl } from '@terse/contract/readable-host';
import { joinSentences, t } from '../../format/i18n.ts';
import type { ConnectionReport } from '../../messages/protocol.ts';
import type { Queue } from '../../queue/types.ts';
import type { FindingProps } from '../notice.tsx';
import {
  checkDraft,
  type Draft,
  EMPTY_DRAFT,
  entered,
  type FieldProblem,
  linkIn,
  storedDraft,
} from './connection-draft.ts';
import { type Failure, failureSentence, type saveConnection } from './save-connection.ts';

/** Id of the form for a new connection. The form of a stored connection has the connection's id. */
export const NEW = 'new';

/** A form as its components use it. */
export interface ConnectionForm {
  draft: Draft;
  problem: FieldProblem | null;
  isSaving: boolean;
  /** Current activity, or the results of the last save. */
  results: FindingProps[];
  enter: (input: Partial<Draft>) => void;
  save: () => Promise<void>;
}

interface FormState extends Pick<ConnectionForm, 'problem' | 'isSaving' | 'results'> {
  /** Fields that the user has changed. The other fields show the stored connection. */
  typed: Partial<Draft>;
}

const UNTOUCHED: FormState = { typed: {}, problem: null, isSaving: false, results: [] };

interface FormsDeps {
  queues: ReadonlySignal<Queue[]>;
  /** Connection from a connection link. It fills in the form, but is not sent before the user confirms. */
  offered: ConnectionLink | null;
  save: typeof saveConnection;
  /** Reads the queues again. */
  refresh: () => Promise<unknown>;
  /** Announces the result of a save to screen readers. */
  announce: (text: string) => void;
  /**
   * Called after a save. `shownIn` is the id of the form that shows the result: if a new connection was saved, its own
   * form shows the result. `failure` is null if the save succeeded.
   */
  ended?: (id: string, shownIn: string, failure: Failure | null) => void;
}

/** Holds what the user has typed in the forms of all connections, and the result of each form's last save. */
export function createConnectionForms({ queues, offered, save, refresh, announce, ended }: FormsDeps) {
  const { baseUrl = '', apiKey = '' } = offered ?? {};
  const typed = offered ? { address: readableUrl(baseUrl), apiKey } : {};
  const states = signal<ReadonlyMap<string, FormState>>(new Map([[NEW, { ...UNTOUCHED, typed }]]));

  const queueOf = (id: string) => queues.value.find(({ connection }) => connection.id === id);
  const stateOf = (id: string) => states.value.get(id) ?? UNTOUCHED;

  function set(id: string, change: Partial<FormState>): void {
    states.value = new Map(states.value).set(id, { ...stateOf(id), ...change });
  }

  /** Returns the contents of a form without the changes of the user. */
  function unchangedDraft(id: string): Draft {
    const queue = queueOf(id);
    return queue ? storedDraft(queue.connection) : EMPTY_DRAFT;
  }

  const draftOf = (id: string): Draft => ({ ...unchangedDraft(id), ...stateOf(id).typed });

  function enter(id: string, input: Partial<Draft>): void {
    const { typed, results } = stateOf(id);
    const next = { ...typed, ...entered(draftOf(id), input) };
    set(id, { typed: next, problem: null, results: results.filter(isFailure) });
  }

  /**
   * Tests and saves a connection. Must be called directly in a click or submit handler, before any `await`. Otherwise,
   * the browser refuses the permission request.
   */
  async function submit(id: string): Promise<void> {
    if (stateOf(id).isSaving) return;
    const typed = { ...stateOf(id).typed, ...linkIn(draftOf(id)) };
    const draft = { ...unchangedDraft(id), ...typed };
    const queue = queueOf(id);
    // A connection from an imported file has no key.
    const hasKey = queue && queue.state.blocked !== 'key_missing';
    const checked = checkDraft(draft, hasKey ? queue.connection.baseUrl : null);
    if ('field' in checked) return set(id, { typed, problem: checked });
    const testing: FindingProps = { icon: 'clock', tone: 'is-busy', text: t('testing') };
    set(id, { typed, problem: null, isSaving: true, results: [testing] });
    const answer = await save({ ...checked, connectionId: queue?.connection.id ?? null, name: draft.name });
    if (!answer.ok) {
      const text = failureSentence(answer.code);
      set(id, { isSaving: false, results: [{ icon: 'warning', tone: 'is-danger', text }] });
      announce(text);
      return ended?.(id, id, answer.code);
    }
    await refresh().catch(() => undefined);
    // The result is outdated if the user has typed something since.
    if (stateOf(id).typed !== typed) return set(id, { isSaving: false, results: [] });
    const { connectionId } = answer.value;
    const saved = queueOf(connectionId);
    const shownIn = saved ? connectionId : id;
    const results = resultsOf(answer.value, saved?.state.paused ?? false);
    batch(() => {
      set(id, UNTOUCHED);
      set(shownIn, { ...UNTOUCHED, results });
      announce(joinSentences(...results.map(({ text }) => text)));
      ended?.(id, shownIn, null);
    });
  }

  /** Returns the form of a stored connection, or with the id `NEW` the form for a new connection. */
  function formOf(id: string): ConnectionForm {
    const { problem, isSaving, results } = stateOf(id);
    // While the connection is blocked, it is not shown as connected.
    const isBlocked = queueOf(id)?.state.blocked != null && !isSaving;
    return {
      ...{ draft: draftOf(id), problem, isSaving },
      results: isBlocked ? results.filter(isFailure) : results,
      enter: (input) => enter(id, input),
      save: () => submit(id),
    };
  }

  /** True if the user has typed something that is not saved. */
  const hasUnsaved = computed(() =>
    [NEW, ...queues.value.map(({ connection }) => connection.id)].some(
      (id) => JSON.stringify(draftOf(id)) !== JSON.stringify(unchangedDraft(id)),
    ),
  );

  /** Empties the form for a new connection. */
  const clearNew = () => set(NEW, UNTOUCHED);

  return { hasUnsaved, formOf, clearNew };
}

/** Failures stay visible until the next save, because a user who is typing could miss them. */
function isFailure({ tone }: FindingProps): boolean {
  return tone === 'is-danger';
}

/** `paused` is true if the user paused the queue. A paused queue sends nothing, even if the server is healthy. */
function resultsOf(report: ConnectionReport, paused: boolean): FindingProps[] {
  const saved = (icon: 'clock' | 'globe', text: string): FindingProps => ({ icon, tone: '', text });
  const pausedText = joinSentences(t('saved'), t('pausedByUser'));
  if (!report.reached) {
    const problem: FindingProps = { icon: 'warning', tone: 'is-danger', text: t(`test_${report.problem}`) };
    return [saved('clock', paused ? pausedText : t('savedUnseen')), problem];
  }
  if (paused) return [saved('clock', pausedText)];
  // Without a service document, the server cannot be distinguished from any other website.
  if (report.service === null) return [saved('globe', joinSentences(t('saved'), t('testUnsure')))];
  return [{ icon: 'check', tone: 'is-good', text: t('connectedNow') }];
}
