import { displayUrl } from '../format/display-text.ts';
import { t } from '../format/i18n.ts';
import { formatTimeAgo } from '../format/relative-time.ts';
import { connectionStatus, lastResponseAt } from '../queue/status/connection-status.ts';
import type { BlockReason, Connection, Queue } from '../queue/types.ts';
import { Icon } from './icons.tsx';

/** Shows the status of a connection and when its server last responded. */
export function ConnectionState({ queue, now }: { queue: Pick<Queue, 'connection' | 'state'>; now: number }) {
  const status = connectionStatus(queue);
  const answeredAt = lastResponseAt(queue.connection);
  return (
    <p class={`connection-state is-${status}`}>
      <span class="dot" aria-hidden="true" />
      <span>{t(`connection_${status}`)}</span>
      {answeredAt !== null && <span class="connection-seen">{t('lastAnswered', formatTimeAgo(answeredAt, now))}</span>}
    </p>
  );
}

interface HaltNoticeProps {
  halt: BlockReason;
  connection: Connection;
  handlers: {
    /** Asks the browser for access to the server. Must be called within the click. */
    allowAccess: (connection: Connection) => void;
    openOptions: () => void;
    /** Makes the queue try to send now, even if it is blocked or delayed. */
    tryNow: (connectionId: string) => void;
  };
}

/** Explains why a queue is blocked, with a button for what the user can do about it. */
export function BlockNotice({ halt, connection, handlers }: HaltNoticeProps) {
  return (
    <section class="notice" aria-label={t('halted')}>
      <Icon name="warning" class="notice-icon" />
      <p>{t(`halt_${halt}`, displayUrl(connection.baseUrl).host)}</p>
      <div class="actions">
        {halt === 'permission' ? (
          <button type="button" class="button" onClick={() => handlers.allowAccess(connection)}>
            {t('allow')}
          </button>
        ) : (
          <button type="button" class="button" onClick={handlers.openOptions}>
            {t('openOptions')}
          </button>
        )}
        {/* Only the user can know that the server is fixed or the key accepted again. */}
        {halt !== 'permission' && halt !== 'key_missing' && (
          <button type="button" class="button is-quiet" onClick={() => handlers.tryNow(connection.id)}>
            {t('tryAgain')}
          </button>
        )}
      </div>
    </section>
  );
}
