import { ShortAddress } from '../ui/address.tsx';
import type { Clipboard } from '../ui/copy.tsx';
import { Icon } from '../ui/icons.tsx';
import type { ListedRequest } from '../ui/listed-requests.ts';
import { statusSentence } from '../ui/sentences.ts';
import { sentences, t } from '../ui/strings.ts';
import { when } from '../ui/when.ts';
import type { PopupHandlers } from './popup-handlers.ts';
import { QrButton } from './qr-button.tsx';
import { RequestButtons } from './request-buttons.tsx';

export interface Promised extends ListedRequest {
  now: number;
  clipboard: Clipboard;
  showQr: (shortUrl: string) => void;
  handlers: PopupHandlers;
}

/** A request that waits, and the short URL that it has already: it can be copied now, and works once it is sent. */
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
          ? sentences(isOnItsWay ? '' : t('worksOnceSent'), statusSentence(status, request.problem, limit, now))
          : t('worksOnceSentAt', when(quotaUntil, now))}
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
