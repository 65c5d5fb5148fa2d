import { useState } from 'preact/hooks';
import { isNext } from '../queue/next.ts';
import { standingOf } from '../queue/standing.ts';
import type { Request, Snapshot, Time } from '../queue/types.ts';
import { Icon } from '../ui/icons.tsx';
import { standingInShort } from '../ui/sentences.ts';
import { t } from '../ui/strings.ts';
import type { Actions } from './actions.ts';
import { standingIcon } from './pending-card.tsx';
import { RequestButtons } from './request-buttons.tsx';

/** Requests shown before the person asks for the rest. */
const FIRST = 3;

interface QueueListProps {
  requests: Request[];
  view: Snapshot;
  time: Time;
  online: boolean;
  actions: Actions;
}

/** What is waiting and why, what needs a decision, and what failed. */
export function QueueList({ requests, view, time, online, actions }: QueueListProps) {
  const [all, setAll] = useState(false);
  const listed = all ? requests : requests.slice(0, FIRST);
  return (
    <section class="list" aria-labelledby="queue-title">
      <h2 id="queue-title" class="list-title">
        {t('queue')}
        <span class="count">{requests.length.toLocaleString()}</span>
      </h2>
      <ul>
        {listed.map((request) => {
          const standing = standingOf(request, view, time, online);
          return (
            <li key={request.id} class={`request is-${standing.kind}`} data-request={request.id}>
              <Icon name={standingIcon(standing)} class="request-icon" />
              <div class="request-text">
                <bdi class="request-title line" title={request.url}>
                  {request.title || request.url}
                </bdi>
                <span class="request-why">
                  {standingInShort(standing, request.problem, isNext(request, view), time.now)}
                </span>
                {request.state === 'failed' && request.problem?.message && (
                  <bdi class="request-words line" title={request.problem.message}>
                    {request.problem.message}
                  </bdi>
                )}
              </div>
              <RequestButtons request={request} standing={standing} compact actions={actions} />
            </li>
          );
        })}
      </ul>
      {requests.length > FIRST && (
        <button type="button" class="text-button" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('showFewer') : t('showAll', requests.length.toLocaleString())}
        </button>
      )}
    </section>
  );
}
