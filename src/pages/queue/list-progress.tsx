import { useRef, useState } from 'preact/hooks';
import { saveFile } from '../../browser/clipboard-and-download.ts';
import { ConfirmDialog } from '../../components/dialogs.tsx';
import { CopyIcon, Icon } from '../../components/icons.tsx';
import { useShowMore } from '../../components/long-list.tsx';
import { RequestRow } from '../../components/unfinished-requests.tsx';
import { Address, ShortAddress, UntrustedText } from '../../components/url-and-title.tsx';
import { displayText } from '../../format/display-text.ts';
import { formatNumber, joinSentences, plural, t } from '../../format/i18n.ts';
import { estimateMessage, statusInList } from '../../format/status-text.ts';
import { linksToCsv } from '../../import-export/csv-export.ts';
import { pageAddress } from '../../messages/open-page-with-data.ts';
import { isThrottled } from '../../queue/status.ts';
import type { Link } from '../../queue/types.ts';
import type { QueueStore } from './queue-store.ts';

interface ListProgressProps {
  progress: NonNullable<QueueStore['progress']['value']>;
  store: QueueStore;
}

/** Progress of a bulk list: its unfinished requests, and the short URLs that have been created. */
export function ListProgress({ progress, store }: ListProgressProps) {
  const { links, requests, gone } = progress;
  const count = links.length + requests.length;
  const rows = useRef<HTMLUListElement>(null);
  const { shown, more } = useShowMore([...requests, ...links], rows, '.row');
  // If all URLs were canceled or deleted, the heading shows how many URLs the list contained.
  const title = t('groupProgress', formatNumber(links.length), formatNumber(count || gone));
  return (
    <>
      <header class="page-head">
        <h1>{title}</h1>
        <a class="button page-end" href={pageAddress('bulk')}>
          {t('groupAnother')}
        </a>
      </header>
      <section class="progress" aria-label={title}>
        <progress max={Math.max(1, count)} value={links.length} aria-label={title} />
        <p class="help">
          <WaitText {...{ progress, store }} /> {gone > 0 && plural('groupGone', gone)}
        </p>
      </section>
      {count > 0 && (
        <section class="card is-list" aria-label={t('manyTitle')}>
          <ul ref={rows} class="rows">
            {shown.map((one) =>
              'request' in one ? (
                <li key={one.request.id} class="row">
                  <RequestRow listed={one} common="" store={store} />
                </li>
              ) : (
                <li key={one.id} class="row">
                  <LinkRow link={one} store={store} />
                </li>
              ),
            )}
          </ul>
          {more}
        </section>
      )}
    </>
  );
}

/** Says why the unfinished requests wait or, if only limits delay them, when they will be sent. */
function WaitText({ progress: { waiting, hasEnded }, store }: ListProgressProps) {
  const now = store.now.value;
  const queues = store.queues.value;
  return <>{!hasEnded && joinSentences(text(), t('canClosePage'))}</>;

  function text(): string {
    const [first] = waiting;
    if (!first) return t('sending');
    const { status, request, connection } = first;
    const queue = queues.find((one) => one.connection.id === connection.id);
    if (!isThrottled(status) || !queue) return statusInList(status, request.problem, now);
    return estimateMessage(queue, waiting, now);
  }
}

function LinkRow({ link: { shortUrl, title, url }, store }: { link: Link; store: QueueStore }) {
  return (
    <>
      <Icon name="check" class="row-icon is-good" />
      <span class="row-text">
        {displayText(title) ? <UntrustedText class="line" text={title} hover={url} /> : <Address url={url} />}
      </span>
      <span class="row-note">
        <ShortAddress url={shortUrl} />
      </span>
      <span class="row-buttons">
        <CopyIcon text={shortUrl} copier={store} />
      </span>
    </>
  );
}

/** Bar with buttons that copy or export the short URLs, or cancel the requests that have not been sent. */
export function ResultBar({ progress: { links, requests, waiting }, store }: ListProgressProps) {
  const [isCanceling, setCanceling] = useState(false);
  // The last requests may be sent while the dialog is open.
  if (isCanceling && waiting.length === 0) setCanceling(false);
  if (links.length + requests.length === 0) return null;
  const copy = () => {
    void store.copy(links.map(({ shortUrl }) => shortUrl).join('\n'));
    store.announce(plural('resultCopied', links.length));
  };
  const exportCsv = () => saveFile(new Blob([linksToCsv(links)], { type: 'text/csv' }), 'terse-links.csv');
  return (
    <div class="toolbar">
      <p>{plural('groupReady', links.length)}</p>
      {waiting.length > 0 && (
        <button type="button" class="button is-quiet" onClick={() => setCanceling(true)}>
          {t('cancelRest')}
        </button>
      )}
      {links.length > 0 && (
        <>
          <button type="button" class="button" onClick={exportCsv}>
            <Icon name="down" />
            {t('exportData')}
          </button>
          <button type="button" class="button is-primary" onClick={copy}>
            <Icon name="copy" />
            {plural('copyCount', links.length)}
          </button>
        </>
      )}
      {isCanceling && (
        <ConfirmDialog
          title={t('groupCancelTitle')}
          text={t('groupCancelText')}
          yes={plural('groupCancel', waiting.length)}
          confirm={() => void store.change({ type: 'cancel', ids: waiting.map(({ request }) => request.id) })}
          close={() => setCanceling(false)}
        />
      )}
    </div>
  );
}
