import { useRef } from 'preact/hooks';
import { ConnectionSelect } from '../../components/connection-select.tsx';
import { NoServer } from '../../components/empty-state.tsx';
import { Toasts } from '../../components/error-toast.tsx';
import { FileButton } from '../../components/file-button.tsx';
import { useAutofocus, useKeepFocus } from '../../components/focus.ts';
import { Icon, IconButton } from '../../components/icons.tsx';
import { useShowMore } from '../../components/long-list.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Announcer } from '../../components/page-shell.tsx';
import { Address, UntrustedText } from '../../components/url-and-title.tsx';
import { displayText } from '../../format/display-text.ts';
import { formatNumber, plural, t } from '../../format/i18n.ts';
import { notShortenableMessage } from '../../format/status-text.ts';
import { capabilitiesOf, isListMissing } from '../../servers/capabilities.ts';
import type { BulkStore } from './bulk-store.ts';
import { MAX_URLS } from './collect-urls.ts';

/** Page for shortening many URLs at once. The user collects a list and sends it. */
export function BulkPage({ store }: { store: BulkStore }) {
  const main = useKeepFocus<HTMLElement>();
  const { view, entries, chosen, choose, flash, announced, openOptions, addTransfer } = store;
  return (
    <>
      <PageHeader current="bulk" view={view.value} />
      <main
        ref={main}
        class="page is-wide"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          if (event.dataTransfer) addTransfer(event.dataTransfer);
        }}
      >
        <header class="page-head">
          <h1>{t('manyTitle')}</h1>
          <ConnectionSelect look="input page-end" store={store} choose={choose} />
        </header>
        {chosen.value ? <Collect store={store} /> : <NoServer openOptions={openOptions} />}
        <Toasts flash={flash}>{chosen.value && entries.value.length > 0 && <SendBar store={store} />}</Toasts>
        <Announcer text={flash.value?.text ?? announced.value} />
      </main>
    </>
  );
}

function Collect({ store }: { store: BulkStore }) {
  return (
    <>
      <SourceField store={store} />
      {store.entries.value.length === 0 ? <p class="help">{t('manyPasteHelp')}</p> : <List store={store} />}
    </>
  );
}

/** The URLs of the list. Those that cannot be sent come first, with the reasons. */
function List({ store: { entries, invalid, valid, chosen, clear, remove } }: { store: BulkStore }) {
  const rows = useRef<HTMLUListElement>(null);
  const { shown, more } = useShowMore([...invalid.value, ...valid.value], rows, '.row');
  return (
    <>
      {chosen.value && isListMissing(chosen.value.connection) && <p class="help">{t('linksNotLoaded')}</p>}
      <section class="card is-list" aria-labelledby="list-title">
        <div class="list-head">
          <h2 id="list-title" class="list-title">
            {plural('groupTitle', entries.value.length)}
          </h2>
          <button type="button" class="button is-quiet" onClick={clear}>
            {t('manyClear')}
          </button>
        </div>
        {invalid.value.length > 0 && (
          <p class="problem" role="alert">
            {plural('manyInvalid', invalid.value.length)}
          </p>
        )}
        <ul ref={rows} class="rows">
          {shown.map(({ id, url, title, problem, userInfoRemoved }) => (
            <li key={id} class="row">
              <div class="row-text">
                {title && <UntrustedText class="line" text={title} hover={url} />}
                <Address url={url} />
              </div>
              {problem && <span class="row-note is-danger">{notShortenableMessage(problem)}</span>}
              {userInfoRemoved && <span class="row-note">{t('userInfoRemoved')}</span>}
              <div class="row-buttons">
                <IconButton icon="trash" name={t('removeNamed', displayText(title, url))} press={() => remove(id)} />
              </div>
            </li>
          ))}
        </ul>
        {more}
      </section>
    </>
  );
}

/**
 * Bar with the send button, which stays visible even if the list is long. Says how many HTTP requests the list may need,
 * if that is more than the quota allows.
 */
function SendBar({ store }: { store: BulkStore }) {
  const { valid, sending, send, chosen, quota } = store;
  const count = Math.min(valid.value.length, MAX_URLS);
  const isTooLong = valid.value.length > MAX_URLS;
  // One HTTP request may contain several URLs, and a URL that already has a link needs none.
  const batchSize = chosen.value ? capabilitiesOf(chosen.value.connection).batchSize : 1;
  const cost = Math.ceil(count / batchSize);
  const left = quota.value?.left ?? 0;
  return (
    <div class="toolbar">
      {(cost > left || isTooLong) && (
        <p>
          {cost > left && plural('manyCostOver', cost, formatNumber(left))}
          {isTooLong && <span class="help">{t('manyTooMany', formatNumber(MAX_URLS))}</span>}
        </p>
      )}
      <button
        type="button"
        class="button is-primary"
        disabled={count === 0}
        aria-disabled={sending.value}
        onClick={() => void send()}
      >
        {plural('manySend', count)}
      </button>
    </div>
  );
}

/** Minimum and maximum height of the field in lines. In a narrow window, the placeholder needs two lines. */
const [MIN_LINES, MAX_LINES] = [2, 8];

/** Input field for URLs. The buttons below the field add URLs from open tabs, selected text or files. */
function SourceField({ store }: { store: BulkStore }) {
  const field = useAutofocus<HTMLTextAreaElement>();
  const { text, selectionTabId, addText, addTransfer, addFile, addTabs, addSelection } = store;
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
        {selectionTabId !== null && (
          <button type="button" class="button" onClick={() => void addSelection()}>
            {t('manySelection')}
          </button>
        )}
        <button type="button" class="button" onClick={() => void addTabs()}>
          {t('manyTabs')}
        </button>
        <FileButton accept=".txt,.csv,.tsv,.html,.htm,text/*" choose={(file) => void addFile(file)}>
          <Icon name="up" />
          {t('manyFile')}
        </FileButton>
      </div>
    </form>
  );
}
