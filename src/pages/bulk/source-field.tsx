import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { Icon } from '../../components/icons.tsx';
import { plural, t } from '../../format/i18n.ts';
import type { BulkStore } from './bulk-store.ts';

/** Minimum and maximum height of the field in lines. In a narrow window, the placeholder needs two lines. */
const [MIN_LINES, MAX_LINES] = [2, 8];

interface SourceFieldProps {
  field: RefObject<HTMLTextAreaElement | null>;
  store: BulkStore;
}

/** Input field for URLs. The buttons below the field add URLs from open tabs, selected text or files. */
export function SourceField({ field, store }: SourceFieldProps) {
  const { text, tabIds, selectionTabId, addText, addTransfer, addFiles, addTabs, addSelection } = store;
  const file = useRef<HTMLInputElement>(null);
  const add = (event: Event) => {
    event.preventDefault();
    // If the text is not accepted, it stays in the field.
    if (text.value.trim() !== '' && addText(text.value)) text.value = '';
  };
  return (
    <form class="source" onSubmit={add}>
      <textarea
        ref={field}
        class="source-text"
        dir={text.value === '' ? undefined : 'ltr'}
        rows={Math.max(MIN_LINES, Math.min(MAX_LINES, text.value.split('\n').length))}
        spellcheck={false}
        autocomplete="off"
        aria-label={t('manyPaste')}
        placeholder={t('manyPaste')}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) add(event);
        }}
        onPaste={(event) => {
          const data = event.clipboardData;
          // A single line that is pasted into other text only completes this text.
          const isList = text.value === '' || data?.getData('text/plain').trim().includes('\n');
          if (data && isList && addTransfer(data)) event.preventDefault();
        }}
      />
      <div class="actions">
        {text.value.trim() !== '' && (
          <button type="submit" class="button is-primary">
            {t('manyAdd')}
          </button>
        )}
        {tabIds.length > 1 && (
          <button type="button" class="button" onClick={() => void addTabs(true)}>
            {plural('manySelectedTabs', tabIds.length)}
          </button>
        )}
        {selectionTabId !== null && (
          <button type="button" class="button" onClick={() => void addSelection()}>
            {t('manySelection')}
          </button>
        )}
        <button type="button" class="button" onClick={() => void addTabs(false)}>
          {t('manyTabs')}
        </button>
        <button type="button" class="button" onClick={() => file.current?.click()}>
          <Icon name="up" />
          {t('manyFile')}
        </button>
        <input
          ref={file}
          type="file"
          hidden
          multiple
          accept=".txt,.csv,.tsv,.html,.htm,text/*"
          onChange={(event) => {
            void addFiles([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = '';
          }}
        />
      </div>
    </form>
  );
}
