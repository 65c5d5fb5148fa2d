import { useState } from 'preact/hooks';
import { failureSentence } from '../../components/connection-form/save-connection.ts';
import { ConfirmDialog } from '../../components/dialogs.tsx';
import { FileButton } from '../../components/file-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { formatNumber, t } from '../../format/i18n.ts';
import type { DataState } from './data-store.ts';
import type { OptionsStore } from './options-store.ts';

/** Buttons to export, import and delete the stored data. */
export function DataSection({ store }: { store: Pick<OptionsStore, 'data' | 'importFile'> }) {
  const { data, importFile } = store;
  const state = data.state.value;
  const [deleting, setDeleting] = useState(false);
  return (
    <>
      <div class="card is-list">
        <div class="setting">
          <div id="data-kept">
            <p class="setting-name">{t('linksTitle')}</p>
            <p class="help">{t('dataKept')}</p>
          </div>
          <button type="button" class="button" aria-describedby="data-kept" onClick={() => void data.exportData()}>
            {t('exportData')}
          </button>
        </div>
        <div class="setting">
          <div id="data-import">
            <p class="setting-name">{t('importFile')}</p>
            <p class="help">{t('importHelp')}</p>
          </div>
          <FileButton
            accept=".json,application/json"
            choose={([chosen]) => chosen && void importFile(chosen)}
            attributes={{ 'aria-describedby': 'data-import', 'aria-disabled': state.kind === 'importing' }}
          >
            {t('manyFile')}
          </FileButton>
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
        {noticeOf(state)}
      </div>
      {deleting && (
        <ConfirmDialog
          title={t('deleteEverythingTitle')}
          text={t('deleteEverythingText')}
          yes={t('deleteEverything')}
          confirm={() => void data.deleteEverything()}
          close={() => setDeleting(false)}
        />
      )}
    </>
  );
}

/** Returns the message about the last action. */
function noticeOf(state: DataState) {
  switch (state.kind) {
    case 'importing':
      return <Notice icon="clock" tone="is-busy" text={t('importReading')} />;
    case 'problem':
      return <Notice icon="warning" tone="is-danger" text={t(`importProblem_${state.problem}`)} />;
    case 'failed':
      return <Notice icon="warning" tone="is-danger" text={failureSentence(state.code)} />;
    case 'imported': {
      const { links, connections } = state.added;
      const text = t('imported', formatNumber(links), formatNumber(connections), formatNumber(state.skipped));
      return <Notice icon="check" tone="is-good" text={text} />;
    }
    case 'deleted':
      return <Notice icon="check" tone="is-good" text={t('deletedEverything')} />;
    default:
      return null;
  }
}
