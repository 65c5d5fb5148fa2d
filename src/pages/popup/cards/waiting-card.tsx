import { type Clipboard, QrButton } from '../../../components/copy-button.tsx';
import { useAutofocus } from '../../../components/hooks/use-autofocus.ts';
import { Icon, type IconName } from '../../../components/icons.tsx';
import type { FormTarget } from '../../../components/link-form/link-form-values.ts';
import { ServiceMessage } from '../../../components/notice.tsx';
import { interpolate, ShortAddress, UntrustedText } from '../../../components/url-and-title.tsx';
import { joinSentences, t } from '../../../format/i18n.ts';
import { formatDateTime } from '../../../format/relative-time.ts';
import { problemMessage, statusMessage } from '../../../format/status-text.ts';
import { promisedShortUrl } from '../../../queue/short-code-generator.ts';
import type { ListedRequest, RequestStatus } from '../../../queue/status/request-status.ts';
import type { Request } from '../../../queue/types.ts';
import type { PopupActions } from '../use-popup-actions.ts';
import { RequestButtons } from './request-buttons.tsx';

/**
 * Returns when a pending request's link expires if that is before it would be sent. Such a request is not sent. Null if
 * it is in time.
 */
export function lateExpiry({ options }: Request, status: RequestStatus, now: number): number | null {
  const expiresAt = Date.parse(options.expiresAt ?? '');
  const at = status.kind === 'waiting' ? (status.at ?? now) : null;
  return at !== null && expiresAt <= at ? expiresAt : null;
}

export interface Promised extends ListedRequest {
  now: number;
  clipboard: Clipboard;
  showQr: (shortUrl: string) => void;
  handlers: PopupActions;
}

/** A pending request whose short URL is already known. The user can copy it, and it works once the request is sent. */
export function WaitingCard({
  shortUrl,
  now,
  clipboard,
  showQr,
  handlers,
  ...listed
}: Promised & { shortUrl: string }) {
  const { request, status, limit } = listed;
  const isOnItsWay = status.kind === 'sending';
  const quotaUntil = status.kind === 'waiting' && status.reason === 'quota' ? status.at : null;
  const copied = clipboard.copied === shortUrl;
  const take = (show: (shortUrl: string) => void) => {
    show(shortUrl);
    handlers.handOut(request, shortUrl);
  };
  return (
    <div class={`state result is-waiting ${isOnItsWay ? 'is-busy' : ''}`} aria-busy={isOnItsWay}>
      <p class="result-url">
        <ShortAddress url={shortUrl} />
      </p>
      <p class="state-why">
        {quotaUntil === null
          ? joinSentences(isOnItsWay ? '' : t('worksOnceSent'), statusMessage(status, request.problem, limit, now))
          : t('worksOnceSentAt', formatDateTime(quotaUntil, now))}
      </p>
      {request.handedOut !== undefined && request.handedOut !== shortUrl && (
        <p class="result-warning">{t('replaced', request.handedOut)}</p>
      )}
      <div class="actions">
        <button type="button" class={`button is-wide ${copied ? 'is-done' : ''}`} onClick={() => take(clipboard.copy)}>
          <Icon name={copied ? 'check' : 'copy'} />
          {t(copied ? 'copied' : 'copyNow')}
        </button>
        <QrButton show={() => take(showQr)} />
        <RequestButtons compact {...listed} handlers={handlers} />
      </div>
    </div>
  );
}

/** Problems that the user can fix by changing an option of the link. */
const CHANGEABLE = ['short_code_taken', 'invalid_short_code', 'expired'];

/** Problems for which the server's message adds nothing to ours. */
const PLAIN = ['short_code_taken', 'expired'];

/** A request without a link: its status, the server's message, and buttons. */
export function PendingCard({ more, ...shown }: Promised & { more: ((about?: Partial<FormTarget>) => void) | null }) {
  const { now, clipboard, showQr, handlers, ...listed } = shown;
  const { request, status, limit, connection } = listed;
  // The form returns the focus to the button that opened it.
  const focus = useAutofocus<HTMLButtonElement>(request.id);
  const shortUrl = promisedShortUrl(request, connection);
  const late = lateExpiry(request, status, now);
  // A short URL that will not be created must not be copied.
  if (shortUrl !== null && late === null) return <WaitingCard shortUrl={shortUrl} {...shown} />;
  const { problem, handedOut } = request;
  const isOver = status.kind === 'failed' || status.kind === 'undecided';
  const isChangeable = late !== null || (status.kind === 'failed' && CHANGEABLE.includes(problem?.code ?? ''));
  const tone =
    status.kind === 'failed' ? 'is-danger' : status.kind === 'undecided' || late !== null ? 'is-warning' : '';
  return (
    <ServiceMessage icon={late === null ? statusIcon(status) : 'warning'} tone={tone} busy={status.kind === 'sending'}>
      {late !== null && <p>{t('expiresBefore', formatDateTime(late, now))}</p>}
      <p class={late === null ? '' : 'help'}>{statusMessage(status, problem, limit, now)}</p>
      {status.kind === 'undecided' && problem && <p class="help">{problemMessage(problem)}</p>}
      {handedOut !== undefined && status.kind !== 'undecided' && (
        <p class="result-warning">{t(isOver || late !== null ? 'handedOutDead' : 'replaced', handedOut)}</p>
      )}
      {isOver && problem?.message && !PLAIN.includes(problem.code) && (
        <p class="service-words">
          {interpolate(
            'serviceSaid',
            <q>
              <UntrustedText text={problem.message} />
            </q>,
          )}
        </p>
      )}
      {isChangeable && more ? (
        <div class="actions">
          <button
            ref={focus}
            type="button"
            class="button"
            onClick={() => more({ options: request.options, insteadOf: request.id })}
          >
            {t('change')}
          </button>
          <button type="button" class="button is-quiet" onClick={() => handlers.cancel(request.id)}>
            {t(late === null ? 'dismiss' : 'cancel')}
          </button>
        </div>
      ) : (
        <RequestButtons {...listed} handlers={handlers} />
      )}
    </ServiceMessage>
  );
}

export function statusIcon(status: RequestStatus): IconName {
  if (status.kind === 'failed' || status.kind === 'undecided') return 'warning';
  if (status.kind === 'sending') return 'clock';
  return status.reason === 'offline' || status.reason === 'unreachable' ? 'offline' : 'clock';
}
