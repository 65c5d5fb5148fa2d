import { useCallback, useState } from 'preact/hooks';
import type { Failure } from '../connecting/handlers.ts';
import type { Added } from '../storage/add-imported.ts';
import type { Settings } from '../storage/settings.ts';
import { useNextAction } from '../ui/use-next-action.ts';
import type { Contents, FileProblem } from './contents.ts';
import type { DataHandlers, Reading } from './handlers.ts';

export type Preview = Exclude<Reading, { problem: FileProblem }>;

/** What was done last, and what came of it. */
export type DataState =
  | { kind: 'idle' }
  | { kind: 'reading' }
  | { kind: 'problem'; problem: FileProblem }
  | ({ kind: 'preview' } & Preview)
  | { kind: 'added'; added: Added }
  | { kind: 'deleted' }
  | { kind: 'failed'; code: Failure };

const FAILED: DataState = { kind: 'failed', code: 'internal' };

/** The steps of an import and of a deletion, and what an export came to where it failed. */
export function useData(handlers: DataHandlers) {
  const [state, setState] = useState<DataState>({ kind: 'idle' });
  const fail = () => setState(FAILED);
  const takeBack = useCallback(() => setState({ kind: 'idle' }), []);
  useNextAction(state.kind === 'added' || state.kind === 'deleted', takeBack);

  return {
    state,
    /** An export says by its file that it was done. */
    run: (work: () => Promise<void>) => {
      work().then(() => setState({ kind: 'idle' }), fail);
    },
    choose: (file: File) => {
      if (state.kind === 'reading') return;
      setState({ kind: 'reading' });
      handlers.read(file).then((read) => {
        setState('problem' in read ? { kind: 'problem', problem: read.problem } : { kind: 'preview', ...read });
      }, fail);
    },
    add: (contents: Contents, settings: Settings | null) => {
      handlers.add(contents, settings).then((answer) => {
        setState(answer.ok ? { kind: 'added', added: answer.value } : { kind: 'failed', code: answer.code });
      }, fail);
    },
    deleteEverything: () => {
      handlers.deleteEverything().then((answer) => {
        setState(answer.ok ? { kind: 'deleted' } : { kind: 'failed', code: answer.code });
      }, fail);
    },
    /** Leaves the preview; what was added by then stays said. */
    close: () => setState((shown) => (shown.kind === 'preview' ? { kind: 'idle' } : shown)),
  };
}
