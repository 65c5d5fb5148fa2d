import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { Icon } from '../../components/icons.tsx';
import { plural, t } from '../../format/i18n.ts';
import type { BulkActions } from './use-bulk-actions.ts';

interface SourceFieldProps {
  field: RefObject<HTMLTextAreaElement | null>;
  text: string;
  setText: (text: string) => void;
  /** Number of tabs selected in the tab strip when the page was opened. A single tab does not count as a selection. */
  selectedTabs: number;
  /** True if the page was opened from a tab whose selected text may contain links. */
  hasSelection: boolean;
  handlers: BulkActions;
}

/** Minimum and maximum height of the field in lines. In a narrow window, the placeholder needs two lines. */
const [MIN_LINES, MAX_LINES] = [2, 8];

/** Input field for URLs. The buttons below the field add URLs from open tabs, selected text or files. */
export function SourceField({ field, text, setText, selectedTabs, hasSelection, handlers }: SourceFieldProps) {
  const file = useRef<HTMLInputElement>(null);
  const add = (event: Event) => {
    event.preventDefault();
    if (text.trim() === '') return;
    // If the text is not accepted, it stays in the field.
    if (handlers.addText(text)) setText('');
  };
  return (
    <form class="source" onSubmit={add}>
      <textarea
        ref={field}
        class="source-text"
        dir={text === '' ? undefined : 'ltr'}
        rows={Math.max(MIN_LINES, Math.min(MAX_LINES, text.split('\n').length))}
        spellcheck={false}
        autocomplete="off"
        aria-label={t('manyPaste')}
        placeholder={t('manyPaste')}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) add(event);
        }}
        onPaste={(event) => {
          const data = event.clipboardData;
          // A single line that is pasted into other text only completes this text.
          const isList = text === '' || data?.getData('text/plain').trim().includes('\n');
          if (data && isList && handlers.addTransfer(data)) event.preventDefault();
        }}
      />
      <div class="actions">
        {text.trim() !== '' && (
          <button type="submit" class="button is-primary">
            {t('manyAdd')}
          </button>
        )}
        {selectedTabs > 1 && (
          <button type="button" class="button" onClick={handlers.addSelectedTabs}>
            {plural('manySelectedTabs', selectedTabs)}
          </button>
        )}
        {hasSelection && (
          <button type="button" class="button" onClick={handlers.addSelection}>
            {t('manySelection')}
          </button>
        )}
        <button type="button" class="button" onClick={handlers.addTabs}>
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
            handlers.addFiles([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = '';
          }}
        />
      </div>
    </form>
  );
}
