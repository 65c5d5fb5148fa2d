import { busyButtonProps } from '../../../components/busy-button.ts';
import type { Clipboard } from '../../../components/copy-button.tsx';
import { useAutofocus } from '../../../components/hooks/use-autofocus.ts';
import { Icon, IconButton } from '../../../components/icons.tsx';
import type { FormTarget } from '../../../components/link-form/link-form-values.ts';
import { ServiceMessage } from '../../../components/notice.tsx';
import { Address, UntrustedText } from '../../../components/url-and-title.tsx';
import { displayText, displayUrl } from '../../../format/display-text.ts';
import { type MessageKey, t } from '../../../format/i18n.ts';
import { notShortenableMessage } from '../../../format/status-text.ts';
import type { Connection } from '../../../queue/types.ts';
import type { CurrentTarget } from '../current-page.ts';
import type { PopupState } from '../popup-state.ts';
import type { PopupActions } from '../use-popup-actions.ts';
import { ResultCard } from './result-card.tsx';
import { PendingCard } from './waiting-card.tsx';

export interface StateCardProps {
  state: PopupState;
  /** URL whose command the background has not accepted yet. Its button shows progress. */
  asking: string | null;
  target: CurrentTarget;
  connections: Connection[];
  now: number;
  /** Hint below the Shorten button. */
  hint: MessageKey;
  clipboard: Clipboard;
  showQr: (shortUrl: string) => void;
  /** Opens the form for a link. Null if there is no connection. */
  more: ((about?: Partial<FormTarget>) => void) | null;
  handlers: PopupActions;
}

/** Main area of the popup. Every state has the same size, so nothing below it moves when the result appears. */
export function ShortenCard({
  state,
  asking,
  target,
  connections,
  now,
  hint,
  clipboard,
  showQr,
  more,
  handlers,
}: StateCardProps) {
  // The main button gets the focus, so that Enter is enough.
  const focus = useAutofocus<HTMLButtonElement>(`${state.kind} ${target.url}`);
  switch (state.kind) {
    case 'ready':
      return (
        <div class="state">
          <button
            type="button"
            class="button is-primary is-large"
            ref={focus}
            {...busyButtonProps(asking === state.url)}
            onClick={() => asking !== state.url && void handlers.shorten({ ...target, url: state.url })}
          >
            {t(target.isOther ? 'shorten' : 'shortenPage')}
            <Icon name="enter" class="hint" />
          </button>
          <p class="state-note">
            {t(hint)}{' '}
            {more && (
              <button type="button" class="text-button" onClick={() => more()}>
                {t('more')}
              </button>
            )}
          </p>
        </div>
      );
    case 'pending':
      return <PendingCard {...state} now={now} clipboard={clipboard} showQr={showQr} more={more} handlers={handlers} />;
    case 'done': {
      const connection = connections.find(({ id }) => id === state.link.connectionId);
      const shown = { connection, now, isAsking: asking === state.link.url, clipboard, showQr, more, handlers };
      return <ResultCard link={state.link} fresh={state.fresh} {...shown} />;
    }
    case 'blocked':
      return (
        <ServiceMessage icon="globe">
          <p id="blocked">{notShortenableMessage(state.reason)}</p>
        </ServiceMessage>
      );
    case 'connect':
      return (
        <ServiceMessage icon="key">
          <p>{t('connectFirst')}</p>
          <button type="button" class="button is-primary" ref={focus} onClick={handlers.openWelcome}>
            {t('connectService')}
          </button>
        </ServiceMessage>
      );
    case 'lost':
      return (
        <ServiceMessage icon="warning" tone="is-danger">
          <p>{t('noReply')}</p>
          <button
            type="button"
            class="button"
            {...busyButtonProps(asking !== null)}
            onClick={() => asking === null && handlers.askAgain()}
          >
            {t('tryAgain')}
          </button>
        </ServiceMessage>
      );
    case 'refused':
      return (
        <ServiceMessage icon="warning" tone="is-danger">
          <p>{notShortenableMessage(state.code)}</p>
          <button type="button" class="button" onClick={handlers.leaveOrder}>
            {t('dismiss')}
          </button>
        </ServiceMessage>
      );
  }
}

/** Title and URL of the page to shorten, or another URL with a button back to the page. */
export function TargetCard({ target, leave }: { target: CurrentTarget; leave: () => void }) {
  const { title, isOther, userInfoRemoved } = target;
  const url = target.url ?? '';
  const initial = [...displayUrl(url).host.replace(/^www\./, '')][0];
  return (
    <div class="target">
      <span class="tile" aria-hidden="true">
        {initial ? initial.toUpperCase() : <Icon name="globe" />}
      </span>
      <div class="target-text">
        <h2 class="target-title">
          {displayText(title) ? (
            <UntrustedText class="line" text={title} />
          ) : (
            <span class="line">{t(isOther ? 'typedUrl' : 'untitled')}</span>
          )}
        </h2>
        <p class="target-url">
          <Address url={url} />
        </p>
        {userInfoRemoved && <p class="target-note">{t('userInfoRemoved')}</p>}
      </div>
      {isOther && <IconButton icon="close" name={t('backToPage')} press={leave} />}
    </div>
  );
}
