import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { Clipboard } from '../../components/copy-button.tsx';
import { readGroup } from '../../components/hooks/use-stored-data.ts';
import { formatNumber, joinSentences, plural, t } from '../../format/i18n.ts';
import { estimateMessage, statusInList } from '../../format/status-text.ts';
import { LINK_FORMATS } from '../../import-export/csv-markdown-html-export.ts';
import { isThrottled, type ListedRequest } from '../../queue/status/request-status.ts';
import { estimateSends } from '../../queue/status/send-time-estimate.ts';
import type { Queue } from '../../queue/types.ts';
import type { VisibleGroup } from '../../storage/bulk-groups.ts';
import { onLinksChanged } from '../../storage/change-broadcast.ts';
import { type GroupProgress, ProgressRows, progressOf } from './progress-rows.tsx';
import type { BulkActions } from './use-bulk-actions.ts';

export interface GroupPageProps {
  view: VisibleGroup;
  queues: Queue[];
  requests: ListedRequest[];
  now: number;
  /** True if part of the list was not sent, so that there is a way back to it. */
  hasRest: boolean;
  clipboard: Clipboard;
  handlers: BulkActions;
}

/** Progress of a sent list: what is done, when the rest is sent, and the short URLs. */
export function GroupPage({ view, queues, requests, now, hasRest, clipboard, handlers }: GroupPageProps) {
  const [cancelling, setCancelling] = useState(false);
  const progress = useMemo(() => progressOf(view, requests), [view, requests]);
  // Memoized, because estimates for a thousand requests take longer than painting the page.
  const waiting = useMemo(
    () => (progress.hasEnded ? '' : waitSentence(progress, queues, now)),
    [progress, queues, now],
  );
  const { members, links, left, stuck, hasEnded, gone } = progress;
  const all = members.length;
  // Canceled requests are no result: a list without any link is not shown as done.
  const title = hasEnded && links.length > 0 ? plural('groupEnded', links.length) : plural('groupTitle', all + gone);
  return (
    <>
      <section class="card progress" aria-labelledby="group-title">
        <h2 id="group-title">{title}</h2>
        <progress
          max={Math.max(1, all)}
          value={links.length}
          aria-label={t('groupProgress', formatNumber(links.length), formatNumber(all))}
        />
        {all > 0 && <p>{t('groupProgress', formatNumber(links.length), formatNumber(all))}</p>}
        {(stuck.length > 0 || gone > 0) && (
          <p>
            {joinSentences(
              stuck.length > 0 ? plural('groupStuck', stuck.length) : '',
              gone > 0 ? plural('groupGone', gone) : '',
            )}
          </p>
        )}
        {!hasEnded && <p class="help">{waiting}</p>}
        <div class="actions">
          <button type="button" class="button" onClick={handlers.backToList}>
            {t(hasRest ? 'groupBack' : 'groupAnother')}
          </button>
          {left.length > 0 && (
            <button type="button" class="button" onClick={() => setCancelling(true)}>
              {plural('groupCancel', left.length)}
            </button>
          )}
        </div>
      </section>
      <section class="card list" aria-labelledby="result-title">
        <div class="list-head">
          <h2 id="result-title">{t('manyList')}</h2>
          <fieldset class="actions list-end" aria-label={t('resultCopy')}>
            <span class="help" aria-hidden="true">
              {t('resultCopy')}
            </span>
            {LINK_FORMATS.map((form) => (
              <button
                key={form}
                type="button"
                class="button"
                disabled={links.length === 0}
                onClick={() => handlers.copyResult(form, links)}
              >
                {t(`result_${form}`)}
              </button>
            ))}
          </fieldset>
        </div>
        <ProgressRows members={members} now={now} clipboard={clipboard} handlers={handlers} />
      </section>
      {cancelling && (
        <ConfirmDialog
          title={t('groupCancelTitle')}
          text={t('groupCancelText')}
          yes={plural('groupCancel', left.length)}
          confirm={() => handlers.cancel(left.map(({ request }) => request.id))}
          close={() => setCancelling(false)}
        />
      )}
    </>
  );
}

/** Returns what the rest of the list waits for or, if only limits delay it, when it is sent. */
function waitSentence({ left }: GroupProgress, queues: Queue[], now: number): string {
  const [first] = left;
  if (!first) return t('sending');
  const { status, request, connection } = first;
  const queue = queues.find((one) => one.connection.id === connection?.id);
  if (!isThrottled(status) || !queue) return statusInList(status, request.problem, now);
  const ids = new Set(left.map((one) => one.request.id));
  return estimateMessage(estimateSends(queue, { now, workerId: 'page' }), ids, now);
}

/** Returns a group and its links, re-read whenever links change. Undefined until it is read; null if it is unknown. */
export function useGroup(isPrivate: boolean, id: string | null): VisibleGroup | null | undefined {
  const [view, setView] = useState<VisibleGroup | null | undefined>(undefined);
  const latest = useRef(0);
  useEffect(() => {
    setView(undefined);
    if (id === null) return;
    const read = () => {
      latest.current += 1;
      const reading = latest.current;
      // If a read fails, the page stays as it is until the next change.
      readGroup(isPrivate, id)
        .then((found) => reading === latest.current && setView(found))
        .catch(() => undefined);
    };
    read();
    return onLinksChanged(read);
  }, [isPrivate, id]);
  return view;
}
