import type { Connection, Halt } from '../queue/types.ts';
import { shown } from './addresses.ts';
import { Icon } from './icons.tsx';
import { t } from './strings.ts';

interface HaltNoticeProps {
  halt: Halt;
  connection: Connection;
  handlers: {
    /** Asks the browser for access to the service, inside the click. */
    allowAccess: (connection: Connection) => void;
    openOptions: () => void;
    /** Drops what stands in the queue's way and tries now. */
    tryNow: (connectionId: string) => void;
  };
}

/** Nothing is sent before the person acts: says what about, with the one thing to do. */
export function HaltNotice({ halt, connection, handlers }: HaltNoticeProps) {
  return (
    <section class="notice" aria-label={t('halted')}>
      <Icon name="warning" class="notice-icon" />
      <p>{t(`halt_${halt}`, shown(connection.baseUrl).host)}</p>
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
        {/* Only the user can know that the service is fixed, or the key accepted. */}
        {halt !== 'permission' && halt !== 'key_missing' && (
          <button type="button" class="button is-quiet" onClick={() => handlers.tryNow(connection.id)}>
            {t('tryAgain')}
          </button>
        )}
      </div>
    </section>
  );
}
