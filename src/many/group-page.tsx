import { useMemo, useState } from 'preact/hooks';
import { expectedSends } from '../queue/estimate.ts';
import { isPaced } from '../queue/request-status.ts';
import type { Queue } from '../queue/types.ts';
import type { GroupView } from '../storage/groups.ts';
import { Confirm } from '../ui/confirm.tsx';
import type { Clipboard } from '../ui/copy.tsx';
import { estimateSentence } from '../ui/estimate-sentence.ts';
import type { ListedRequest } from '../ui/listed-requests.ts';
import { statusInList } from '../ui/sentences.ts';
import { number, plural, sentences, t } from '../ui/strings.ts';
import { type GroupProgress, progressOf } from './group-members.ts';
import type { ManyHandlers } from './handlers.ts';
import { MemberRows } from './member-rows.tsx';
import { RESULT_FORMS } from './result.ts';

export interface GroupPageProps {
  view: GroupView;
  queues: Queue[];
  requests: ListedRequest[];
  now: number;
  /** Something of the list was not sent with it: there is a way back. */
  hasRest: boolean;
  clipboard: Clipboard;
  handlers: ManyHandlers;
}

/** What has become of a list: how far it is, when the rest is sent, and the short URLs. */
export function GroupPage({ view, queues, requests, now, hasRest, clipboard, handlers }: GroupPageProps) {
  const [cancelling, setCancelling] = useState(false);
  const progress = useMemo(() => progressOf(view, requests), [view, requests]);
  // A thousand that wait take longer to work out than the page to be painted.
  const waiting = useMemo(
    () => (progress.hasEnded ? '' : waitSentence(progress, queues, now)),
    [progress, queues, now],
  );
  const { members, links, left, stuck, hasEnded, gone } = progress;
  const all = members.length;
  // What was given up is no result: a list of which nothing came is not done.
  const title = hasEnded && links.length > 0 ? plural('groupEnded', links.length) : plural('groupTitle', all + gone);
  return (
    <>
      <section class="card progress" aria-labelledby="group-title">
        <h2 id="group-title">{title}</h2>
        <progress
          max={Math.max(1, all)}
          value={links.length}
          aria-label={t('groupProgress', number(links.length), number(all))}
        />
        {all > 0 && <p>{t('groupProgress', number(links.length), number(all))}</p>}
        {(stuck.length > 0 || gone > 0) && (
          <p>
            {sentences(
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
            {RESULT_FORMS.map((form) => (
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
        <MemberRows members={members} now={now} clipboard={clipboard} handlers={handlers} />
      </section>
      {cancelling && (
        <Confirm
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

/** What the rest waits for: where it is only the budget or the pace, when it is sent. */
function waitSentence({ left }: GroupProgress, queues: Queue[], now: number): string {
  const [first] = left;
  if (!first) return t('sending');
  const { status, request, connection } = first;
  const queue = queues.find((one) => one.connection.id === connection?.id);
  if (!isPaced(status) || !queue) return statusInList(status, request.problem, now);
  const ids = new Set(left.map((one) => one.request.id));
  return estimateSentence(expectedSends(queue, { now, workerId: 'page' }), ids, now);
}
