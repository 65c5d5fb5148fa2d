import { useState } from 'preact/hooks';
import type { ConnectionReport } from '../messages/messages.ts';
import type { ConnectionInfo } from '../queue/types.ts';
import type { Actions, Outcome } from './actions.ts';
import { checkDraft, type Draft, entered, type FieldProblem } from './connection-form.ts';

/** How far the form has come. */
export type Phase =
  | { kind: 'editing' }
  | { kind: 'looking'; then: 'test' | 'connect' }
  /** `unsaved`: the look failed before anything was stored; the person may store it all the same. */
  | { kind: 'looked'; report: ConnectionReport; saved: boolean; unsaved: boolean }
  | { kind: 'failed'; code: (Outcome<null> & { ok: false })['code'] };

/** The connection form: what stands in it, what is wrong with it, and what came of it. */
export function useConnecting(connection: ConnectionInfo | null, actions: Actions) {
  const [draft, setDraft] = useState<Draft>({ address: connection?.baseUrl ?? '', apiKey: connection ? null : '' });
  const [problem, setProblem] = useState<FieldProblem | null>(null);
  const [phase, setPhase] = useState<Phase>({ kind: 'editing' });

  /** Called first thing in the click: the browser asks for permission only then. */
  const go = async (then: 'test' | 'connect') => {
    const checked = checkDraft(draft, connection?.baseUrl ?? null);
    if ('field' in checked) return setProblem(checked);
    setProblem(null);
    setPhase({ kind: 'looking', then });
    const looked = await actions.test(checked.baseUrl, checked.apiKey);
    if (!looked.ok) return setPhase({ kind: 'failed', code: looked.code });
    const report = looked.value;
    const good = report.reached && report.key?.state !== 'refused';
    if (then === 'test' || !good) {
      return setPhase({ kind: 'looked', report, saved: false, unsaved: then === 'connect' && !report.reached });
    }
    await store(checked.baseUrl, checked.apiKey, report);
  };

  const store = async (baseUrl: string, apiKey: string | null, report: ConnectionReport) => {
    const stored = await actions.connect(baseUrl, apiKey);
    if (!stored.ok) return setPhase({ kind: 'failed', code: stored.code });
    setDraft({ address: baseUrl, apiKey: null });
    setPhase({ kind: 'looked', report, saved: true, unsaved: false });
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
    saveAnyway: async () => {
      const checked = checkDraft(draft, connection?.baseUrl ?? null);
      if (phase.kind === 'looked' && !('field' in checked)) await store(checked.baseUrl, checked.apiKey, phase.report);
    },
    forget: async () => {
      const forgotten = await actions.forget();
      setDraft({ address: '', apiKey: '' });
      setPhase(forgotten.ok ? { kind: 'editing' } : { kind: 'failed', code: forgotten.code });
    },
  };
}

export type Connecting = ReturnType<typeof useConnecting>;
