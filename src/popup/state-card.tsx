import type { FormTarget } from '../link-form/form-target.ts';
import type { Connection } from '../queue/types.ts';
import { busyWhile } from '../ui/busy.ts';
import type { Clipboard } from '../ui/copy.tsx';
import { Icon } from '../ui/icons.tsx';
import { refusalSentence } from '../ui/sentences.ts';
import { type MessageKey, t } from '../ui/strings.ts';
import { useFocus } from '../ui/use-focus.ts';
import type { CurrentTarget } from './current-target.ts';
import { MessageBox } from './message-box.tsx';
import { PendingCard } from './pending-card.tsx';
import type { PopupHandlers } from './popup-handlers.ts';
import type { PopupState } from './popup-state.ts';
import { ResultCard } from './result-card.tsx';

export interface StateCardProps {
  state: PopupState;
  /** The URL that the background is being asked for: its button is busy until that is accepted. */
  asking: string | null;
  target: CurrentTarget;
  connections: Connection[];
  now: number;
  /** Below the button that shortens. */
  hint: MessageKey;
  clipboard: Clipboard;
  showQr: (shortUrl: string) => void;
  /** Opens the form for a link; null: there is no connection yet. */
  more: ((about?: Partial<FormTarget>) => void) | null;
  handlers: PopupHandlers;
}

/** The middle of the popup. Every state fills the same box, so nothing below it moves from button to result. */
export function StateCard({
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
  // A popup is opened for its one button: Enter is the whole way.
  const focus = useFocus<HTMLButtonElement>(`${state.kind} ${target.url}`);
  switch (state.kind) {
    case 'ready':
      return (
        <div class="state">
          <button
            type="button"
            class="button is-primary is-large"
            ref={focus}
            {...busyWhile(asking === state.url)}
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
        <MessageBox icon="globe">
          <p id="blocked">{refusalSentence(state.reason)}</p>
        </MessageBox>
      );
    case 'connect':
      return (
        <MessageBox icon="key">
          <p>{t('connectFirst')}</p>
          <button type="button" class="button is-primary" ref={focus} onClick={handlers.openWelcome}>
            {t('connectService')}
          </button>
        </MessageBox>
      );
    case 'lost':
      return (
        <MessageBox icon="warning" tone="is-danger">
          <p>{t('noReply')}</p>
          <button
            type="button"
            class="button"
            {...busyWhile(asking !== null)}
            onClick={() => asking === null && handlers.askAgain()}
          >
            {t('tryAgain')}
          </button>
        </MessageBox>
      );
    case 'refused':
      return (
        <MessageBox icon="warning" tone="is-danger">
          <p>{refusalSentence(state.code)}</p>
          <button type="button" class="button" onClick={handlers.leaveOrder}>
            {t('dismiss')}
          </button>
        </MessageBox>
      );
  }
}
