import { displayText } from '../format/display-text.ts';
import { t } from '../format/i18n.ts';
import type { ListedRequest, RequestStatus } from '../queue/status/request-status.ts';
import { IconButton } from './icons.tsx';

interface RequestButtonsProps {
  listed: ListedRequest;
  retry: (id: string) => void;
  cancel: (id: string) => void;
}

/** Buttons of a request in a list: retry, and cancel or dismiss. A request that is being sent has no buttons. */
export function RequestButtons({ listed, retry, cancel }: RequestButtonsProps) {
  const { request, status, connection } = listed;
  const isOver = hasEnded(status);
  // `delayed` means that only this request is delayed, not its whole queue.
  const isDelayed = 'reason' in status && status.reason === 'delayed';
  return (
    <>
      {connection && (isOver || isDelayed) && (
        <button type="button" class="button" aria-label={tryAgainName(listed)} onClick={() => retry(request.id)}>
          {t(status.kind === 'uncertain' ? 'sendAgain' : 'tryAgain')}
        </button>
      )}
      {status.kind !== 'sending' && (
        <IconButton
          icon="trash"
          class={isOver ? '' : 'row-cancel'}
          name={cancelName(listed)}
          press={() => cancel(request.id)}
        />
      )}
    </>
  );
}

interface RetryHandlers {
  retry: (requestId: string) => void;
  tryNow: (connectionId: string) => void;
}

/**
 * Returns the action of a request's "Try again" button. Null if the request cannot be retried. If the whole queue is
 * delayed, the action retries the queue; otherwise, it retries only this request.
 */
export function tryAgain({ request, status, connection }: ListedRequest, handlers: RetryHandlers): (() => void) | null {
  const retry = () => handlers.retry(request.id);
  if (hasEnded(status)) return retry;
  if (status.kind === 'sending' || !status.guessed) return null;
  return status.reason === 'delayed' ? retry : () => handlers.tryNow(connection.id);
}

/** Returns the label of the button that sends a request again. */
export function tryAgainName({ request, status }: ListedRequest): string {
  return t(status.kind === 'uncertain' ? 'sendAgainNamed' : 'tryAgainNamed', displayText(request.title || request.url));
}

/** Returns the label of the button that removes a request. */
export function cancelName({ request, status }: ListedRequest): string {
  return t(hasEnded(status) ? 'dismissNamed' : 'cancelNamed', displayText(request.title || request.url));
}

/** True if the extension does not send a request again automatically. */
function hasEnded(status: RequestStatus): status is Extract<RequestStatus, { kind: 'failed' | 'uncertain' }> {
  return status.kind === 'failed' || status.kind === 'uncertain';
}
