import { displayText } from '../format/display-text.ts';
import { t } from '../format/i18n.ts';
import type { ListedRequest } from '../queue/status/request-status.ts';
import { IconButton } from './icons.tsx';

interface RequestButtonsProps {
  listed: ListedRequest;
  retry: (id: string) => void;
  cancel: (id: string) => void;
}

/** Buttons of a request in a list: retry, and cancel or dismiss. A request that is being sent has none. */
export function RequestButtons({ listed: { request, status, connection }, retry, cancel }: RequestButtonsProps) {
  const name = displayText(request.title || request.url);
  const isOver = status.kind === 'failed' || status.kind === 'undecided';
  // A delayed request can be sent alone. Other requests wait for their queue.
  const isParked = 'reason' in status && status.reason === 'parked';
  const againKey = status.kind === 'undecided' ? 'sendAgain' : 'tryAgain';
  return (
    <>
      {connection && (isOver || isParked) && (
        <button type="button" class="button" aria-label={t(`${againKey}Named`, name)} onClick={() => retry(request.id)}>
          {t(againKey)}
        </button>
      )}
      {status.kind !== 'sending' && (
        <IconButton
          icon="trash"
          class={isOver ? '' : 'row-cancel'}
          name={t(isOver ? 'dismissNamed' : 'cancelNamed', name)}
          press={() => cancel(request.id)}
        />
      )}
    </>
  );
}
