import { useRef, useState } from 'preact/hooks';
import { Icon } from '../../components/icons.tsx';
import { plural, t } from '../../format/i18n.ts';
import type { BulkActions } from './use-bulk-actions.ts';

interface SourcesProps {
  /** Number of tabs selected in the tab strip when the page was opened. One selected tab counts as none. */
  selectedTabs: number;
  /** True if the page was opened from a tab whose selected text may contain links. */
  hasSelection: boolean;
  handlers: BulkActions;
}

/** Sources of URLs: tabs, a selection, a file and a text box. Drops and pastes on the page are handled elsewhere. */
export function SourceButtons({ selectedTabs, hasSelection, handlers }: SourcesProps) {
  const [text, setText] = useState('');
  const file = useRef<HTMLInputElement>(null);
  const add = (event: Event) => {
    event.preventDefault();
    // If the text is not accepted, it stays in the box.
    if (handlers.addText(text)) setText('');
  };
  return (
    <section class="card sources" aria-label={t('manySources')}>
      <div class="actions">
        <button type="button" class="button" onClick={handlers.addTabs}>
          <Icon name="plus" />
          {t('manyTabs')}
        </button>
        {selectedTabs > 1 && (
          <button type="button" class="button" onClick={handlers.addSelectedTabs}>
            <Icon name="plus" />
            {plural('manySelectedTabs', selectedTabs)}
          </button>
        )}
        {hasSelection && (
          <button type="button" class="button" onClick={handlers.addSelection}>
            <Icon name="plus" />
            {t('manySelection')}
          </button>
        )}
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
      <form class="paste" onSubmit={add}>
        <label for="paste">{t('manyPaste')}</label>
        <textarea
          id="paste"
          class="input"
          dir="ltr"
          rows={4}
          spellcheck={false}
          autocomplete="off"
          aria-describedby="paste-help"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onPaste={(event) => {
            // A list pasted into an empty box is added immediately.
            if (text === '' && event.clipboardData && handlers.addTransfer(event.clipboardData)) event.preventDefault();
          }}
        />
        <p id="paste-help" class="help">
          {t('manyPasteHelp')}
        </p>
        <button type="submit" class="button" disabled={text.trim() === ''}>
          {t('manyAdd')}
        </button>
      </form>
    </section>
  );
}
