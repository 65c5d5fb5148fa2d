import { ForeignText } from '../ui/foreign-text.tsx';
import type { ListedRequest } from '../ui/listed-requests.ts';
import { statusInList } from '../ui/sentences.ts';
import { number, t } from '../ui/strings.ts';

/** Requests named one by one; the queue page shows them all. */
const FIRST = 5;

interface WaitingProps {
  requests: ListedRequest[];
  now: number;
  openQueue: () => void;
}

/** What has not ended in a link yet, and why. */
export function Waiting({ requests, now, openQueue }: WaitingProps) {
  if (requests.length === 0) return null;
  const more = requests.length - FIRST;
  return (
    <section class="waiting" aria-labelledby="waiting-title">
      <div class="waiting-head">
        <h2 id="waiting-title">
          {t('queue')} <span class="count">{number(requests.length)}</span>
        </h2>
        <button type="button" class="text-button" onClick={openQueue}>
          {t('manage')}
        </button>
      </div>
      <ul>
        {requests.slice(0, FIRST).map(({ request, status }) => (
          <li key={request.id} class={`waiting-row is-${status.kind}`} data-request={request.id}>
            <ForeignText class="line" text={request.title || request.url} hover={request.url} />
            <span class="waiting-why">{statusInList(status, request.problem, now)}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p class="help">{t('waitingMore', number(more))}</p>}
    </section>
  );
}
