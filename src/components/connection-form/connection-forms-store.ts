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

/** Current activity of a form, or the result of its last save. */
type Phase =
  | { kind: 'editing' }
  | { kind: 'saving' }
  | { kind: 'saved'; report: ConnectionReport }
  | { kind: 'failed'; code: Failure };

interface FormState {
  /** Fields that the user has changed. The other fields show the stored connection. */
  typed: Partial<Draft>;
  problem: FieldProblem | null;
  phase: Phase;
}

const EDITING: Phase = { kind: 'editing' };
const UNTOUCHED: FormState = { typed: {}, problem: null, phase: EDITING };

/** A form as its components use it. */
export interface ConnectionForm {
  draft: Draft;
  problem: FieldProblem | null;
  isSaving: boolean;
  /** Current activity, or the results of the last save. Empty if nothing was saved since the last change. */
  results: FindingProps[];
  enter: (input: Partial<Draft>) => void;
  save: () => Promise<void>;
}

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
  const states = signal<ReadonlyMap<string, FormState>>(new Map());
  const link = signal(offered);

  const queueOf = (id: string) => queues.value.find(({ connection }) => connection.id === id);
  const stateOf = (id: string) => states.value.get(id) ?? UNTOUCHED;

  function set(id: string, change: Partial<FormState>): void {
    states.value = new Map(states.value).set(id, { ...stateOf(id), ...change });
  }

  /** Returns the contents of a form without the changes of the user. */
  function unchangedDraft(id: string): Draft {
    const queue = queueOf(id);
    if (queue) return storedDraft(queue.connection);
    if (!link.value) return EMPTY_DRAFT;
    return { ...EMPTY_DRAFT, address: readableUrl(link.value.baseUrl), apiKey: link.value.apiKey };
  }

  const draftOf = (id: string): Draft => ({ ...unchangedDraft(id), ...stateOf(id).typed });

  function enter(id: string, input: Partial<Draft>): void {
    const { typed, phase } = stateOf(id);
    // A failure stays visible until the next save, because a user who is typing could miss it.
    const next = phase.kind === 'saved' ? EDITING : phase;
    set(id, { typed: { ...typed, ...entered(draftOf(id), input) }, problem: null, phase: next });
  }

  /**
   * Tests and saves a connection. Must be called directly in a click or submit handler, before any `await`. Otherwise,
   * the browser refuses the permission request.
   */
  async function submit(id: string): Promise<void> {
    if (stateOf(id).phase.kind === 'saving') return;
    const typed = { ...stateOf(id).typed, ...linkIn(draftOf(id)) };
    const draft = { ...unchangedDraft(id), ...typed };
    const queue = queueOf(id);
    // A connection from an imported file has no key.
    const hasKey = queue && queue.state.blocked !== 'key_missing';
    const checked = checkDraft(draft, hasKey ? queue.connection.baseUrl : null);
    if ('field' in checked) return set(id, { typed, problem: checked });
    set(id, { typed, problem: null, phase: { kind: 'saving' } });
    const answer = await save({ ...checked, connectionId: queue?.connection.id ?? null, name: draft.name });
    if (!answer.ok) {
      set(id, { phase: { kind: 'failed', code: answer.code } });
      announce(failureSentence(answer.code));
      return ended?.(id, id, answer.code);
    }
    await refresh().catch(() => undefined);
    // The result is outdated if the user has typed something since.
    if (stateOf(id).typed !== typed) return set(id, { phase: EDITING });
    const { connectionId } = answer.value;
    const shownIn = queueOf(connectionId) ? connectionId : id;
    batch(() => {
      if (id === NEW) link.value = null;
      set(id, UNTOUCHED);
      set(shownIn, { ...UNTOUCHED, phase: { kind: 'saved', report: answer.value } });
      announce(joinSentences(...formOf(shownIn).results.map(({ text }) => text)));
      ended?.(id, shownIn, null);
    });
  }

  /** Returns the form of a stored connection, or with the id `NEW` the form for a new connection. */
  function formOf(id: string): ConnectionForm {
    const { problem, phase } = stateOf(id);
    const { blocked, paused } = queueOf(id)?.state ?? {};
    // If the connection is blocked, the result of saving it is outdated.
    const isOutdated = phase.kind === 'saved' && blocked;
    return {
      draft: draftOf(id),
      problem,
      isSaving: phase.kind === 'saving',
      results: isOutdated ? [] : resultsOf(phase, paused === true),
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

  return { hasUnsaved, formOf };
}

/** `paused` is true if the user paused the queue. A paused queue sends nothing, even if the server is healthy. */
function resultsOf(phase: Phase, paused: boolean): FindingProps[] {
  if (phase.kind === 'saving') return [{ icon: 'clock', tone: 'is-busy', text: t('testing') }];
  if (phase.kind === 'failed') return [{ icon: 'warning', tone: 'is-danger', text: failureSentence(phase.code) }];
  if (phase.kind !== 'saved') return [];
  const { report } = phase;
  const pausedText = joinSentences(t('saved'), t('pausedByUser'));
  if (!report.reached) {
    return [
      { icon: 'clock', tone: '', text: paused ? pausedText : t('savedUnseen') },
      { icon: 'warning', tone: 'is-danger', text: t(`test_${report.problem}`) },
    ];
  }
  if (paused) return [{ icon: 'clock', tone: '', text: pausedText }];
  // Without a service document, the server cannot be distinguished from any other website.
  if (report.service === null) return [{ icon: 'globe', tone: '', text: joinSentences(t('saved'), t('testUnsure')) }];
  return [{ icon: 'check', tone: 'is-good', text: t('connectedNow') }];
}
