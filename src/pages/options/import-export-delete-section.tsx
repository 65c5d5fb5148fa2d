import { useEffect, useRef, useState } from 'preact/hooks';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { failureSentence } from '../../components/connection-form/connecting-handlers.ts';
import { Notice } from '../../components/notice.tsx';
import { formatNumber, plural, t } from '../../format/i18n.ts';
import { ImportDialog } from './import-dialog.tsx';
import { Section } from './sections-and-navigation.tsx';
import { type ImportExportActions, type Usage, useImportExport } from './use-import-export.ts';

interface DataSectionProps {
  /** Number of pending requests. */
  waiting: number;
  now: number;
  handlers: ImportExportActions;
}

/** Shows how much data is stored, with buttons to export, import and delete it. */
export function ImportExportSection({ waiting, now, handlers }: DataSectionProps) {
  const { state, run, choose, add, deleteEverything, close } = useImportExport(handlers);
  const [deleting, setDeleting] = useState(false);
  const [usage, setUsage] = useState<Usage | null>(null);
  const file = useRef<HTMLInputElement>(null);
  // Measures the stored data again after each export, import or deletion, and when the number of pending requests
  // changes.
  useEffect(() => {
    handlers.measure().then(setUsage, () => setUsage(null));
  }, [handlers, waiting, state.kind]);

  return (
    <Section id="data">
      <div class="card setting-rows">
        <div class="setting">
          <div id="data-kept">
            <p class="setting-name">{usage ? plural('dataLinks', usage.links) : t('linksTitle')}</p>
            <p class="help">{usage?.bytes == null ? t('dataKept') : t('dataKeptSize', size(usage.bytes))}</p>
          </div>
          <button type="button" class="button" aria-describedby="data-kept" onClick={() => run(handlers.exportData)}>
            {t('exportData')}
          </button>
        </div>
        <div class="setting">
          <div id="data-import">
            <p class="setting-name">{t('importFile')}</p>
            <p class="help">{t('importHelp')}</p>
          </div>
          <button
            type="button"
            class="button"
            aria-describedby="data-import"
            aria-disabled={state.kind === 'reading'}
            onClick={() => file.current?.click()}
          >
            {t('manyFile')}
          </button>
          <input
            ref={file}
            type="file"
            hidden
            accept=".json,application/json"
            onChange={({ currentTarget }) => {
              const [chosen] = currentTarget.files ?? [];
              if (chosen) choose(chosen);
              // Without this reset, the browser would fire no event if the user chose the same file again after
              // correcting it.
              currentTarget.value = '';
            }}
          />
        </div>
        <div class="setting">
          <div id="data-delete">
            <p class="setting-name">{t('deleteEverything')}</p>
            <p class="help">{t('deleteEverythingHelp')}</p>
          </div>
          <button
            type="button"
            class="button is-danger"
            aria-describedby="data-delete"
            onClick={() => setDeleting(true)}
          >
            {t('deleteEllipsis')}
          </button>
        </div>
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
            text={t('imported', formatNumber(state.added.links), formatNumber(state.added.connections))}
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
    </Section>
  );
}

const SIZES = [
  ['gigabyte', 1e9],
  ['megabyte', 1e6],
  ['kilobyte', 1e3],
] as const;

/** Formats a number of bytes in the largest suitable unit, for example "1.2 MB". */
function size(bytes: number): string {
  const [unit, of] = SIZES.find(([, one]) => bytes >= one) ?? ['byte', 1];
  return formatNumber(bytes / of, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 });
}
