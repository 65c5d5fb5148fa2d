import { Icon, type IconName } from '../../components/icons.tsx';
import { plural, t } from '../../format/i18n.ts';
import { formatDateTime } from '../../format/relative-time.ts';
import { statusMessage } from '../../format/status-text.ts';
import { promisedShortUrl } from '../../queue/short-code-generator.ts';
import type { QuotaLeft } from '../../queue/status/request-status.ts';
import type { Link, Queue } from '../../queue/types.ts';
import { blockMessage, unblock, unblockName } from './cards/blocked-queue-card.tsx';
import type { PopupState } from './popup-state.ts';
import type { PopupActions } from './use-popup-actions.ts';

interface BottomLineProps {
  state: PopupState;
  /** Queue of the connection that the popup uses. */
  queue: Queue;
  quota: QuotaLeft;
  /** True to offer to shorten pages when the popup opens. */
  isOffered: boolean;
  /** True while a command is being accepted. */
  isAsking: boolean;
  now: number;
  customize: () => void;
  handlers: PopupActions;
}

/** The line at the bottom of the popup: the most important thing that the user should know. Usually there is none. */
export function BottomLine(props: BottomLineProps) {
  const { state, queue, quota, isOffered, now, handlers } = props;
  const { halt, pause } = queue.state;
  const promised = state.kind === 'pending' ? promisedShortUrl(state.request, state.connection) : null;
  const replaced = replacedUrl(state, promised);
  if (replaced !== undefined) return <Warning icon="warning" text={t('replaced', replaced)} />;
  // In the other states, the main area says it.
  if (halt && (state.kind === 'done' || state.kind === 'blocked' || promised !== null)) {
    return (
      <div class="bottom-line is-danger">
        <p>{blockMessage(queue, halt)}</p>
        <button type="button" class="text-button" onClick={() => unblock(queue, halt, handlers)}>
          {unblockName(halt)}
        </button>
      </div>
    );
  }
  if (isOffered) return <Offer answer={handlers.answerOffer} />;
  if (state.kind === 'done' && !state.fresh && state.link.connectionId !== null) {
    return <ShortenAgain {...props} link={state.link} />;
  }
  if (pause && !halt && pause.reason !== 'quota' && pause.reason !== 'throttle' && state.kind === 'ready') {
    const status = { kind: 'waiting', reason: pause.reason, at: pause.until } as const;
    return <Warning text={statusMessage(status, null, now)} />;
  }
  const isLow = quota.left < quota.limit / 4 && quota.moreAt !== null && !halt;
  if (!isLow || state.kind === 'pending') return null;
  return <Warning text={quotaText(quota.left, formatDateTime(quota.moreAt ?? now, now))} />;
}

/** Returns a short URL that the user has copied, if the page gets another one. */
function replacedUrl(state: PopupState, promised: string | null): string | undefined {
  if (state.kind === 'done') return state.link.replaces;
  if (state.kind !== 'pending' || promised === null) return undefined;
  const { handedOut } = state.request;
  return handedOut === promised ? undefined : handedOut;
}

function quotaText(left: number, when: string): string {
  return left > 0 ? plural('quotaLow', left, when) : t('quotaNone', when);
}

function Warning({ text, icon = 'clock' }: { text: string; icon?: IconName }) {
  return (
    <div class="bottom-line is-warning">
      <Icon name={icon} />
      <p>{text}</p>
    </div>
  );
}

function Offer({ answer }: { answer: (isAccepted: boolean) => void }) {
  return (
    <div class="bottom-line">
      <p>{t('offerShortenOnOpen')}</p>
      <button type="button" class="text-button" onClick={() => answer(true)}>
        {t('yes')}
      </button>
      <button type="button" class="text-button is-quiet" onClick={() => answer(false)}>
        {t('no')}
      </button>
    </div>
  );
}

/** Makes another link of a page that has one. */
function ShortenAgain({ link, isAsking, customize, handlers }: BottomLineProps & { link: Link }) {
  const { url, title } = link;
  const again = () => !isAsking && void handlers.shortenAnew({ url, title, userInfoRemoved: false });
  return (
    <div class="bottom-line">
      <p>{t('secondLink')}</p>
      <button type="button" class="text-button" onClick={again} aria-disabled={isAsking}>
        {t('shortenAgain')}
      </button>
      <button type="button" class="text-button is-quiet" onClick={customize}>
        {t('customize')}
      </button>
    </div>
  );
}
