import { useEffect, useRef, useState } from 'preact/hooks';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { failureSentence } from '../../components/connection-form/connection-test-result.tsx';
import { Fact } from '../../components/fact.tsx';
import { Icon } from '../../components/icons.tsx';
import { Notice } from '../../components/notice.tsx';
import { formatNumber, t } from '../../format/i18n.ts';
import { ImportDialog } from './import-dialog.tsx';
import { type ImportExportActions, type Usage, useImportExport } from './use-import-export.ts';

interface DataSectionProps {
  /** Number of pending requests. */
  waiting: number;
  /** True in a private window. Nothing can be imported there. */
  isPrivate: boolean;
  now: number;
  handlers: ImportExportActions;
}

/** Shows how much data is stored, with buttons to export, import and delete it. */
export function ImportExportSection({ waiting, isPrivate, now, handlers }: DataSectionProps) {
  const { state, run, choose, add, deleteEverything, close } = useImportExport(handlers);
  const [deleting, setDeleting] = useState(false);
  const [usage, setUsage] = useState<Usage | null>(null);
  const file = useRef<HTMLInputElement>(null);
  // Measured again after each action here, and when the number of pending requests changes.
  useEffect(() => {
    handlers.measure().then(setUsage, () => setUsage(null));
  }, [handlers, waiting, state.kind]);

  return (
    <section class="card" aria-labelledby="data-title">
      <h2 id="data-title">{t('data')}</h2>
      <p class="card-intro">{t('dataIntro')}</p>
      <dl class="report">
        <Fact name={t('linksTitle')}>{usage ? formatNumber(usage.links) : ''}</Fact>
        <Fact name={t('dataWaiting')}>{formatNumber(waiting)}</Fact>
        {usage?.bytes != null && <Fact name={t('dataUsed')}>{size(usage.bytes)}</Fact>}
      </dl>
      <div class="data-step">
        <div class="actions">
          <button type="button" class="button" onClick={() => run(handlers.exportEverything)}>
            <Icon name="down" />
            {t('exportEverything')}
          </button>
          <button type="button" class="button" onClick={() => run(handlers.exportLinks)}>
            <Icon name="down" />
            {t('exportLinks')}
          </button>
        </div>
        <p class="help">{t('exportHelp')}</p>
      </div>
      <div class="data-step">
        {isPrivate ? (
          <p class="help">{t('importPrivate')}</p>
        ) : (
          <>
            <div class="actions">
              <button
                type="button"
                class="button"
                aria-describedby="import-help"
                aria-disabled={state.kind === 'reading'}
                onClick={() => file.current?.click()}
              >
                <Icon name="up" />
                {t('importFile')}
              </button>
              <input
                ref={file}
                type="file"
                hidden
                accept=".json,.csv,.tsv,.txt,application/json,text/csv,text/plain"
                onChange={({ currentTarget }) => {
                  const [chosen] = currentTarget.files ?? [];
                  if (chosen) choose(chosen);
                  // Allows the user to choose the same file again after fixing it.
                  currentTarget.value = '';
                }}
              />
            </div>
            <p id="import-help" class="help">
              {t('importHelp')}
            </p>
          </>
        )}
      </div>
      <div class="actions">
        <button type="button" class="button is-danger" onClick={() => setDeleting(true)}>
          {t('deleteEverything')}
        </button>
      </div>
      <div class="connecting-result" role="status" aria-live="polite">
        {state.kind === 'reading' && <Notice icon="clock" tone="is-busy" text={t('importReading')} />}
        {state.kind === 'problem' && (
          <Notice icon="warning" tone="is-danger" text={t(`importProblem_${state.problem}`)} />
        )}
        {state.kind === 'failed' && <Notice icon="warning" tone="is-danger" text={failureSentence(state.code)} />}
        {state.kind === 'added' && (
          <Notice
            icon="check"
            tone="is-good"
            text={t(
              'imported',
              formatNumber(state.added.links),
              formatNumber(state.added.connections),
              formatNumber(state.added.requests),
            )}
          />
        )}
        {state.kind === 'deleted' && <Notice icon="check" tone="is-good" text={t('deletedEverything')} />}
      </div>
      {state.kind === 'preview' && <ImportDialog {...state} now={now} add={add} close={close} />}
      {deleting && (
        <ConfirmDialog
          title={t('deleteEverythingTitle')}
          text={t('deleteEverythingText')}
          yes={t('deleteEverything')}
          confirm={deleteEverything}
          close={() => setDeleting(false)}
        />
      )}
    </section>
  );
}

const SIZES = [
  ['gigabyte', 1e9],
  ['megabyte', 1e6],
  ['kilobyte', 1e3],
] as const;

/** Formats a size in the largest suitable unit: "1.2 MB". */
function size(bytes: number): string {
  const [unit, of] = SIZES.find(([, one]) => bytes >= one) ?? ['byte', 1];
  return formatNumber(bytes / of, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 });
}
