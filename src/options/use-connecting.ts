import type { Connection } from '@terse/contract';
import { useState } from 'preact/hooks';
import type { ConnectionReport } from '../messages/messages.ts';
import type { ConnectionInfo } from '../queue/types.ts';
import type { Actions, Failure } from './actions.ts';
import { checkDraft, type Draft, entered, type FieldProblem, resolved } from './connection-form.ts';

/** How far the form has come. */
export type Phase =
  | { kind: 'editing' }
  | { kind: 'looking' }
  | { kind: 'looked'; report: ConnectionReport; saved: boolean }
  | { kind: 'forgotten' }
  | { kind: 'failed'; code: Failure };

/**
 * The connection form: what stands in it, what is wrong with it, and what came of it.
 *
 * @param offered a connection the page was opened with: it stands in the form, and nothing is done with it unasked
 */
export function useConnecting(connection: ConnectionInfo | null, offered: Connection | null, actions: Actions) {
  const stored = { address: connection?.baseUrl ?? '', apiKey: connection ? null : '' };
  const [draft, setDraft] = useState<Draft>(offered ? { address: offered.baseUrl, apiKey: offered.apiKey } : stored);
  const [problem, setProblem] = useState<FieldProblem | null>(null);
  const [phase, setPhase] = useState<Phase>({ kind: 'editing' });

  /** Nothing is awaited before the action: it asks the browser for permission, which has to happen in the click. */
  const go = async (what: 'test' | 'connect') => {
    if (phase.kind === 'looking') return;
    const meant = resolved(draft);
    const checked = checkDraft(meant, connection?.baseUrl ?? null);
    setDraft(meant);
    if ('field' in checked) return setProblem(checked);
    setProblem(null);
    setPhase({ kind: 'looking' });
    const outcome = await actions[what](checked.baseUrl, checked.apiKey);
    if (!outcome.ok) return setPhase({ kind: 'failed', code: outcome.code });
    const saved = what === 'connect';
    if (saved) setDraft({ address: checked.baseUrl, apiKey: null });
    setPhase({ kind: 'looked', report: outcome.value, saved });
  };

  return {
    draft,
    problem,
    phase,
    go,
    enter: (change: Partial<Draft>) => {
      setDraft(entered(draft, change));
      setProblem(null);
      setPhase({ kind: 'editing' });
    },
    /** Answers whether it is forgotten. */
    forget: async () => {
      const forgotten = await actions.forget();
      if (forgotten.ok) setDraft({ address: '', apiKey: '' });
      setPhase(forgotten.ok ? { kind: 'forgotten' } : { kind: 'failed', code: forgotten.code });
      return forgotten.ok;
    },
  };
}

export type Connecting = ReturnType<typeof useConnecting>;
