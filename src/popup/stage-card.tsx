import { blockedSentence } from '../target/target.ts';
import type { Clipboard } from '../ui/copy.tsx';
import { Icon } from '../ui/icons.tsx';
import { refusalSentence } from '../ui/sentences.ts';
import { type MessageKey, t } from '../ui/strings.ts';
import { useFocus } from '../ui/use-focus.ts';
import type { Actions } from './actions.ts';
import { PendingCard } from './pending-card.tsx';
import { ResultCard } from './result-card.tsx';
import { Said } from './said.tsx';
import type { Stage } from './stage.ts';

export interface StageCardProps {
  stage: Stage;
  limit: number;
  now: number;
  /** Below the button that shortens. */
  hint: MessageKey;
  clipboard: Clipboard;
  showQr: (shortUrl: string) => void;
  actions: Actions;
}

/** The middle of the popup. Every state fills the same box, so nothing below it moves from wish to result. */
export function StageCard({ stage, limit, now, hint, clipboard, showQr, actions }: StageCardProps) {
  // A popup is opened for its one button: Enter is the whole way.
  const focus = useFocus<HTMLButtonElement>(stage.kind);
  switch (stage.kind) {
    case 'ready':
      return (
        <div class="stage">
          <button
            type="button"
            class="button is-primary is-large"
            ref={focus}
            onClick={() => actions.shorten(stage.url, stage.title)}
          >
            {t('shortenPage')}
            <Icon name="enter" class="hint" />
          </button>
          <p class="stage-note">{t(hint)}</p>
        </div>
      );
    case 'asking':
      return (
        <Said icon="clock" busy>
          <p>{t('sending')}</p>
        </Said>
      );
    case 'pending':
      return <PendingCard {...stage} limit={limit} now={now} actions={actions} />;
    case 'done':
      return <ResultCard {...stage} now={now} clipboard={clipboard} showQr={showQr} actions={actions} />;
    case 'blocked':
      return (
        <Said icon="globe">
          <p>{t(blockedSentence(stage.reason))}</p>
        </Said>
      );
    case 'connect':
      return (
        <Said icon="key">
          <p>{t('connectFirst')}</p>
          <button type="button" class="button is-primary" ref={focus} onClick={actions.openOptions}>
            {t('connectService')}
          </button>
        </Said>
      );
    case 'lost':
      return (
        <Said icon="warning" tone="is-danger">
          <p>{t('noReply')}</p>
          <button type="button" class="button" onClick={actions.askAgain}>
            {t('tryAgain')}
          </button>
        </Said>
      );
    case 'refused':
      return (
        <Said icon="warning" tone="is-danger">
          <p>{refusalSentence(stage.code)}</p>
          <button type="button" class="button" onClick={actions.leaveWish}>
            {t('dismiss')}
          </button>
        </Said>
      );
  }
}
