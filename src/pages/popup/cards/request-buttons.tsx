import type { ComponentChildren } from 'preact';
import { IconButton } from '../../../components/icons.tsx';
import { displayText } from '../../../format/display-text.ts';
import { t } from '../../../format/i18n.ts';
import type { ListedRequest } from '../../../queue/status/request-status.ts';
import type { PopupActions } from '../use-popup-actions.ts';

/** Problems that would occur again if the same request was sent again. */
const FINAL = ['invalid_url', 'target_refused', 'refused'];

interface RequestButtonsProps extends ListedRequest {
  /** True if the buttons are only icons, as in a list. */
  compact?: boolean;
  handlers: PopupActions;
}

/**
 * Buttons for what the user can do about a request: cancel it, or send it again if it failed, is uncertain or has no
 * time for its next attempt. A request that is being sent has none.
 */
export function RequestButtons({ compact = false, handlers, ...listed }: RequestButtonsProps) {
  const { request, status } = listed;
  if (status.kind === 'sending') return null;
  const isOver = status.kind === 'failed' || status.kind === 'undecided';
  const title = displayText(request.title || request.url);
  const again = tryAgain(listed, handlers);
  const againKey = status.kind === 'undecided' ? 'sendAgain' : 'tryAgain';
  const endKey = isOver ? 'dismiss' : 'cancel';
  const end = () => handlers.cancel(request.id);
  if (compact) {
    return (
      <div class="request-buttons">
        {again && <IconButton icon="retry" name={t(`${againKey}Named`, title)} press={again} />}
        <IconButton icon="close" name={t(`${endKey}Named`, title)} press={end} />
      </div>
    );
  }
  const isFinal = status.kind === 'failed' && FINAL.includes(request.problem?.code ?? '');
  const endButton = (
    <Plain name={t(`${endKey}Named`, title)} quiet={again !== null && !isFinal} press={end}>
      {t(endKey)}
    </Plain>
  );
  const waitsForConnection = status.kind === 'waiting' && status.reason === 'no_connection';
  return (
    <div class="actions">
      {waitsForConnection && (
        <button type="button" class="button is-primary" onClick={handlers.openOptions}>
          {t('connectService')}
        </button>
      )}
      {isFinal && endButton}
      {again && (
        <Plain name={t(`${againKey}Named`, title)} quiet={isFinal} press={again}>
          {t(againKey)}
        </Plain>
      )}
      {!isFinal && endButton}
    </div>
  );
}

/** A delayed request is retried alone. Other requests are retried with their queue. */
function tryAgain({ request, status, connection }: ListedRequest, handlers: PopupActions): (() => void) | null {
  const retry = () => handlers.retry(request.id);
  if (status.kind === 'failed' || status.kind === 'undecided') return connection && retry;
  if (status.kind === 'sending' || !status.guessed || !connection) return null;
  return status.reason === 'parked' ? retry : () => handlers.tryNow(connection.id);
}

interface PlainProps {
  name: string;
  quiet: boolean;
  press: () => void;
  children: ComponentChildren;
}

function Plain({ name, quiet, press, children }: PlainProps) {
  return (
    <button type="button" class={`button ${quiet ? 'is-quiet' : ''}`} aria-label={name} onClick={press}>
      {children}
    </button>
  );
}
