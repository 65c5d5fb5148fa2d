import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { failureSentence } from '../../components/connection-form/save-connection.ts';
import { ConfirmDialog } from '../../components/dialogs.tsx';
import { FileButton } from '../../components/file-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { t } from '../../format/i18n.ts';
import type { DataResult } from './data-files.ts';
import type { OptionsStore } from './options-store.ts';

/** Buttons to export, import and delete the stored data. */
export function DataSection({ store: { files, importFile } }: { store: Pick<OptionsStore, 'files' | 'importFile'> }) {
  const [result, setResult] = useState<DataResult | null>(null);
  const [isImporting, setImporting] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const show = (action: Promise<DataResult | null>) =>
    action.catch(() => ({ isDone: false, text: failureSentence('internal') })).then(setResult);
  const importChosen = (file: File) => {
    if (isImporting) return;
    setImporting(true);
    void show(importFile(file)).then(() => setImporting(false));
  };
  return (
    <>
      <div class="card is-list">
        <Row id="data-kept" name={t('linksTitle')} help={t('dataKept')}>
          <button
            type="button"
            class="button"
            aria-describedby="data-kept"
            onClick={() => void show(files.exportData())}
          >
            {t('exportData')}
          </button>
        </Row>
        <Row id="data-import" name={t('importFile')} help={t('importHelp')}>
          <FileButton
            accept=".json,application/json"
            choose={importChosen}
            attributes={{ 'aria-describedby': 'data-import', 'aria-disabled': isImporting }}
          >
            {t('manyFile')}
          </FileButton>
        </Row>
        <Row id="data-delete" name={t('deleteEverything')} help={t('deleteEverythingHelp')}>
          <button
            type="button"
            class="button is-danger"
            aria-describedby="data-delete"
            onClick={() => setDeleting(true)}
          >
            {t('deleteEllipsis')}
          </button>
        </Row>
      </div>
      <div class="connecting-result" role="status" aria-live="polite">
        {isImporting && <Notice icon="clock" tone="is-busy" text={t('importReading')} />}
        {!isImporting && result?.isDone && <Notice icon="check" tone="is-good" text={result.text} />}
        {!isImporting && result?.isDone === false && <Notice icon="warning" tone="is-danger" text={result.text} />}
      </div>
      {isDeleting && (
        <ConfirmDialog
          title={t('deleteEverythingTitle')}
          text={t('deleteEverythingText')}
          yes={t('deleteEverything')}
          confirm={() => void show(files.deleteEverything())}
          close={() => setDeleting(false)}
        />
      )}
    </>
  );
}

interface RowProps {
  id: string;
  name: string;
  help: string;
  /** Button of the row. */
  children: ComponentChildren;
}

function Row({ id, name, help, children }: RowProps) {
  return (
    <div class="setting">
      <div id={id}>
        <p class="setting-name">{name}</p>
        <p class="help">{help}</p>
      </div>
      {children}
    </div>
  );
}
