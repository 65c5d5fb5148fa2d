import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { Clipboard } from '../../components/copy-button.tsx';
import { Icon } from '../../components/icons.tsx';
import { Menu } from '../../components/menu.tsx';
import { formatNumber, joinSentences, plural, t } from '../../format/i18n.ts';
import { estimateMessage, statusInList } from '../../format/status-text.ts';
import { isThrottled, type ListedRequest } from '../../queue/status/request-status.ts';
import { estimateSends } from '../../queue/status/send-time-estimate.ts';
import type { Queue } from '../../queue/types.ts';
import { onLinksChanged } from '../../storage/change-broadcast.ts';
import type { VisibleGroup } from '../../storage/load-page-data.ts';
import { readGroup } from '../../storage/load-page-data.ts';
import { type GroupProgress, type Member, progressOf, TABS, type Tab, tabOf } from './progress-model.ts';
import { ProgressRows } from './progress-rows.tsx';
import type { BulkActions } from './use-bulk-actions.ts';

export interface GroupPageProps {
  view: VisibleGroup;
  queues: Queue[];
  requests: ListedRequest[];
  now: number;
  /** True if part of the list was not sent. The page then has a button that leads back to the list. */
  hasRest: boolean;
  clipboard: Clipboard;
  handlers: BulkActions;
}

/** Shows the progress of a list of URLs, and the short URLs that have been created. */
export function GroupPage({ view, queues, requests, now, hasRest, clipboard, handlers }: GroupPageProps) {
  const [tab, setTab] = useState<Tab>('all');
  const progress = useMemo(() => progressOf(view, requests), [view, requests]);
  // Memoized, because estimates for a thousand requests take longer than painting the page.
  const waiting = useMemo(
    () => (progress.hasEnded ? '' : joinSentences(waitSentence(progress, queues, now), t('canClosePage'))),
    [progress, queues, now],
  );
  const { members, links, gone } = progress;
  // If all URLs were canceled or deleted, the heading shows how many URLs the list contained.
  const title = t('groupProgress', formatNumber(links.length), formatNumber(members.length || gone));
  // If the last URL of the selected tab moves to another tab, the page shows all URLs.
  const isEmpty = !members.some((member) => tabOf(member) === tab);
  const shownTab = isEmpty ? 'all' : tab;
  const shown = useMemo(
    () => (shownTab === 'all' ? members : members.filter((member) => tabOf(member) === shownTab)),
    [members, shownTab],
  );
  return (
    <>
      <header class="page-head">
        <h1>{title}</h1>
        <button type="button" class="button page-end" onClick={handlers.backToList}>
          {t(hasRest ? 'groupBack' : 'groupAnother')}
        </button>
      </header>
      <section class="progress" aria-label={title}>
        <progress max={Math.max(1, members.length)} value={links.length} aria-label={title} />
        <p class="help">{joinSentences(waiting, gone > 0 ? plural('groupGone', gone) : '')}</p>
      </section>
      {members.length > 0 && (
        <section class="card list" aria-label={t('manyTitle')}>
          <Tabs members={members} shown={shownTab} show={setTab} />
          <ProgressRows key={shownTab} members={shown} {...{ now, clipboard, handlers }} />
        </section>
      )}
      {members.length > 0 && <ResultDock {...progress} handlers={handlers} />}
    </>
  );
}

/** Buttons that filter the list by state. A state without URLs has no button. */
function Tabs({ members, shown, show }: { members: Member[]; shown: Tab; show: (tab: Tab) => void }) {
  const counts = new Map<Tab, number>([['all', members.length]]);
  for (const member of members) counts.set(tabOf(member), (counts.get(tabOf(member)) ?? 0) + 1);
  return (
    <fieldset class="segments" aria-label={t('show')}>
      {TABS.filter((tab) => counts.has(tab)).map((tab) => (
        <button key={tab} type="button" class="segment" aria-pressed={tab === shown} onClick={() => show(tab)}>
          {t(`tab_${tab}`, formatNumber(counts.get(tab) ?? 0))}
        </button>
      ))}
    </fieldset>
  );
}

/** Formats other than plain text. */
const FORMATS = ['markdown', 'html', 'csv'] as const;

type ResultDockProps = Pick<GroupProgress, 'links' | 'left'> & {
  handlers: BulkActions;
};

/** Bar with buttons that copy or export the short URLs, or cancel the remaining requests. */
function ResultDock({ links, left, handlers }: ResultDockProps) {
  const [isCanceling, setCanceling] = useState(false);
  const hasNone = links.length === 0;
  const items = FORMATS.map((form) => ({
    icon: 'copy' as const,
    label: t(`result_${form}`),
    press: () => handlers.copyResult(form, links),
  }));
  return (
    <div class="dock">
      <div class="dock-row">
        <p class="dock-text">{plural('groupReady', links.length)}</p>
        {left.length > 0 && (
          <button type="button" class="button is-quiet" onClick={() => setCanceling(true)}>
            {t('cancelRest')}
          </button>
        )}
        {!hasNone && <Menu name={t('resultCopy')} label={t('resultCopy')} items={items} />}
        {!hasNone && (
          <button type="button" class="button" onClick={() => handlers.exportCsv(links)}>
            <Icon name="down" />
            {t('exportCsv')}
          </button>
        )}
        {!hasNone && (
          <button type="button" class="button is-primary" onClick={() => handlers.copyResult('text', links)}>
            <Icon name="copy" />
            {plural('copyCount', links.length)}
          </button>
        )}
      </div>
      {isCanceling && (
        <ConfirmDialog
          title={t('groupCancelTitle')}
          text={t('groupCancelText')}
          yes={plural('groupCancel', left.length)}
          confirm={() => handlers.cancel(left.map(({ request }) => request.id))}
          close={() => setCanceling(false)}
        />
      )}
    </div>
  );
}
/**
 * Returns a message about the unfinished requests: the reason why they wait or, if only limits delay them, the
 * estimated send times.
 */
function waitSentence({ left }: GroupProgress, queues: Queue[], now: number): string {
  const [first] = left;
  if (!first) return t('sending');
  const { status, request, connection } = first;
  const queue = queues.find((one) => one.connection.id === connection.id);
  if (!isThrottled(status) || !queue) return statusInList(status, request.problem, now);
  const ids = new Set(left.map((one) => one.request.id));
  return estimateMessage(estimateSends(queue, now), ids, now);
}

/**
 * Returns a group and its links, and re-reads them whenever links change. Undefined until the first read finishes;
 * null if there is no group with this id.
 */
export function useGroup(id: string | null): VisibleGroup | null | undefined {
  const [view, setView] = useState<VisibleGroup | null | undefined>(undefined);
  const latest = useRef(0);
  useEffect(() => {
    setView(undefined);
    if (id === null) return;
    const read = () => {
      latest.current += 1;
      const reading = latest.current;
      // If a read fails, the page keeps its current data until the next change.
      readGroup(id)
        .then((found) => reading === latest.current && setView(found))
        .catch(() => undefined);
    };
    read();
    return onLinksChanged(read);
  }, [id]);
  return view;
}
