import type { RefObject } from 'preact';
import { ConnectionSelect } from '../../components/connection-select.tsx';
import { useDrop } from '../../components/drop-and-paste.ts';
import { NoServer } from '../../components/empty-state.tsx';
import { Toasts } from '../../components/error-toast.tsx';
import { FileButton } from '../../components/file-button.tsx';
import { useAutofocus, useKeepFocus } from '../../components/focus.ts';
import { Icon } from '../../components/icons.tsx';
import { AllBox } from '../../components/long-list.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Announcer } from '../../components/page-shell.tsx';
import { formatNumber, plural, t } from '../../format/i18n.ts';
import { pageAddress } from '../../messages/open-page-with-data.ts';
import { isUnlimited } from '../../queue/limits.ts';
import { queueObstacle } from '../../queue/next-step.ts';
import { isListMissing } from '../../servers/capabilities.ts';
import type { BulkStore } from './bulk-store.ts';
import { MAX_URLS } from './list-model.ts';
import { InvalidLines, UrlRows } from './list-rows.tsx';

/** Page for shortening many URLs at once. The user collects a list and sends it. */
export function BulkPage({ store }: { store: BulkStore }) {
  const main = useKeepFocus<HTMLElement>();
  const isDropTarget = useDrop(store.addTransfer);
  const { view, list, chosen, chosenId, flash, announced, openOptions } = store;
  const choose = (connectionId: string) => {
    chosenId.value = connectionId;
  };
  return (
    <>
      <PageHeader current="bulk" view={view.value} />
      <main ref={main} class="page is-wide">
        <header class="page-head">
          <h1>{t('manyTitle')}</h1>
          <ConnectionSelect look="input page-end" store={store} choose={choose} />
        </header>
        <SentList store={store} />
        {chosen.value ? <Collect store={store} /> : <NoServer openOptions={openOptions} />}
        {isDropTarget && (
          <p class="drop-veil" aria-hidden="true">
            <span>{t('manyDrop')}</span>
          </p>
        )}
        <Toasts flash={flash}>{chosen.value && list.value.entries.length > 0 && <SendBar store={store} />}</Toasts>
        <Announcer text={flash.value?.text ?? announced.value} />
      </main>
    </>
  );
}

/** Link to the list that was just accepted, while the rest of it is still on this page. */
function SentList({ store: { sent } }: { store: BulkStore }) {
  if (!sent.value) return null;
  const { listId, count } = sent.value;
  return (
    <p class="notice" role="status">
      <span>{plural('groupTitle', count)}</span>
      <a class="button" href={pageAddress('queue', `list=${listId}`)} target="_blank" rel="noopener">
        {t('groupShow')}
      </a>
    </p>
  );
}

function Collect({ store }: { store: BulkStore }) {
  const field = useAutofocus<HTMLTextAreaElement>();
  const { list, chosen, selected, choose, clear } = store;
  const { entries } = list.value;
  const isListed = entries.length > 0;
  const ids = entries.map(({ id }) => id);
  return (
    <>
      <SourceField field={field} store={store} />
      {!isListed && <p class="help">{t('manyPasteHelp')}</p>}
      {isListed && chosen.value && isListMissing(chosen.value.connection) && <p class="help">{t('linksNotLoaded')}</p>}
      <InvalidLines field={field} store={store} />
      {isListed && (
        <section class="card is-list" aria-labelledby="list-title">
          <div class="list-head">
            <AllBox
              label={t('manyAll')}
              total={entries.length}
              selected={selected.value.length}
              set={(isChosen) => choose(ids, isChosen)}
            />
            <h2 id="list-title" class="list-title">
              {plural('manyChosen', entries.length, formatNumber(selected.value.length))}
            </h2>
            <button type="button" class="button is-quiet" onClick={clear}>
              {t('manyClear')}
            </button>
          </div>
          <UrlRows store={store} />
        </section>
      )}
    </>
  );
}

/** Bar with the send button and the quota that the list uses. It stays visible even if the list is long. */
function SendBar({ store }: { store: BulkStore }) {
  const { selected, sending, send } = store;
  const count = Math.min(selected.value.length, MAX_URLS);
  return (
    <div class="toolbar">
      <p>
        {costText(store)}
        <span class="help">
          {selected.value.length > MAX_URLS ? t('manyTooMany', formatNumber(MAX_URLS)) : waitText(store)}
        </span>
      </p>
      <button
        type="button"
        class="button is-primary"
        disabled={count === 0 || sending.value}
        onClick={() => void send()}
      >
        {plural('manySend', count)}
      </button>
    </div>
  );
}

/** Returns why the list will wait. Empty if it is sent as soon as the limits allow. */
function waitText({ chosen, now, online }: BulkStore): string {
  const obstacle = chosen.value && queueObstacle(chosen.value, now.value, { online: online.value });
  if (!obstacle) return '';
  const reason = obstacle.kind === 'paused' ? 'paused' : obstacle.reason;
  return reason === 'throttle' ? '' : t(`wait_${reason}`);
}

function costText({ selected, cost, quota }: BulkStore): string {
  if (selected.value.length === 0) return t('manyNothingChosen');
  const { left, limit } = quota.value ?? { left: 0, limit: 0 };
  if (cost.value === 0) return t('manyFree');
  if (cost.value === 1 && left === 0) return t('wait_quota');
  // A no-break space keeps the height of the line.
  if (isUnlimited(limit)) return '\u00A0';
  return plural(cost.value > left ? 'manyCostOver' : 'manyCost', cost.value, formatNumber(left));
}

/** Minimum and maximum height of the field in lines. In a narrow window, the placeholder needs two lines. */
const [MIN_LINES, MAX_LINES] = [2, 8];

interface SourceFieldProps {
  field: RefObject<HTMLTextAreaElement | null>;
  store: BulkStore;
}

/** Input field for URLs. The buttons below the field add URLs from open tabs, selected text or files. */
function SourceField({ field, store }: SourceFieldProps) {
  const { text, selectionTabId, addText, addTransfer, addFiles, addTabs, addSelection } = store;
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
        <FileButton accept=".txt,.csv,.tsv,.html,.htm,text/*" multiple choose={(files) => void addFiles(files)}>
          <Icon name="up" />
          {t('manyFile')}
        </FileButton>
      </div>
    </form>
  );
}
