import { connectionStatus, lastAnsweredAt } from '../queue/connection-status.ts';
import type { Queue } from '../queue/types.ts';
import { t } from './strings.ts';
import { ago } from './when.ts';

/** How a connection is doing, and when its service last answered well. Says only what was seen. */
export function ConnectionState({ queue, now }: { queue: Pick<Queue, 'connection' | 'state'>; now: number }) {
  const status = connectionStatus(queue);
  const answeredAt = lastAnsweredAt(queue.connection);
  return (
    <p class={`connection-state is-${status}`}>
      <span class="dot" aria-hidden="true" />
      <span>{t(`connection_${status}`)}</span>
      {answeredAt !== null && <span class="connection-seen">{t('lastAnswered', ago(answeredAt, now))}</span>}
    </p>
  );
}
