import { IconButton } from '../../../components/icons.tsx';
import { displayText } from '../../../format/display-text.ts';
import { t } from '../../../format/i18n.ts';
import type { ListedRequest } from '../../../queue/status/request-status.ts';
import type { PopupActions } from '../use-popup-actions.ts';

/** Icon buttons of a request in a list: retry, and cancel or dismiss. A request that is being sent has none. */
export function RequestButtons({ handlers, ...listed }: ListedRequest & { handlers: PopupActions }) {
  const { request, status } = listed;
  if (status.kind === 'sending') return null;
  const again = tryAgain(listed, handlers);
  return (
    <>
      {again && <IconButton icon="retry" name={tryAgainName(listed)} press={again} />}
      <IconButton icon="trash" name={cancelName(listed)} press={() => handlers.cancel(request.id)} />
    </>
  );
}

/**
 * Returns the function that sends a request again: one that failed, is uncertain, or whose next attempt has a guessed
 * time. Otherwise null. A delayed request is retried alone; other requests are retried with their queue.
 */
export function tryAgain({ request, status, connection }: ListedRequest, handlers: PopupActions): (() => void) | null {
  const retry = () => handlers.retry(request.id);
  if (status.kind === 'failed' || status.kind === 'undecided') return connection && retry;
  if (status.kind === 'sending' || !status.guessed || !connection) return null;
  return status.reason === 'parked' ? retry : () => handlers.tryNow(connection.id);
}

export function tryAgainName({ request, status }: ListedRequest): string {
  return t(status.kind === 'undecided' ? 'sendAgainNamed' : 'tryAgainNamed', displayText(request.title || request.url));
}

/** Returns the name of the button that removes a request. */
export function cancelName({ request, status }: ListedRequest): string {
  const isOver = status.kind === 'failed' || status.kind === 'undecided';
  return t(isOver ? 'dismissNamed' : 'cancelNamed', displayText(request.title || request.url));
}
