import type { ComponentChild } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../components/icons.tsx';
import { plural, t } from '../../format/i18n.ts';
import { formatDateTime, formatOnDay } from '../../format/relative-time.ts';
import { statusMessage } from '../../format/status-text.ts';
import { promisedShortUrl } from '../../queue/short-code-generator.ts';
import type { QuotaLeft } from '../../queue/status/request-status.ts';
import type { BlockReason, Link, Queue } from '../../queue/types.ts';
import { isListMissing } from '../../servers/capabilities.ts';
import { blockMessage, unblock, unblockName } from './cards/blocked-queue-card.tsx';
import type { PopupState } from './popup-state.ts';
import type { PopupActions } from './use-popup-actions.ts';

interface BottomLineProps {
  state: PopupState;
  /** Queue of the connection that the popup uses. */
  queue: Queue;
  quota: QuotaLeft;
  /** True while a shorten command waits for the background worker to accept it. */
  isAsking: boolean;
  now: number;
  customize: () => void;
  handlers: PopupActions;
}

/**
 * The line at the bottom of the popup. It shows only the most important message. If a message can appear later, space
 * is reserved for it, so that the height of the popup does not change.
 */
export function BottomLine(props: BottomLineProps) {
  const { queue, handlers } = props;
  const { blocked } = queue.state;
  const root = useRef<HTMLDivElement>(null);
  const line = lineOf(props, useLowQuota(props));
  const later = blocked && <Block queue={queue} blocked={blocked} handlers={handlers} />;
  useLayoutEffect(() => {
    if (root.current) root.current.style.minBlockSize = `${root.current.getBoundingClientRect().height}px`;
  });
  return (
    <div class="bottom" ref={root}>
      {line ?? (
        <div class="bottom-room" inert>
          {later}
        </div>
      )}
    </div>
  );
}

/**
 * True if less than a quarter of the quota is left. The value is not updated while the popup creates or shows a link.
 * Otherwise, the message about the quota could appear just below the finished link.
 */
function useLowQuota({ state, queue, quota, isAsking }: BottomLineProps): boolean {
  const decided = useRef({ connectionId: '', isLow: false });
  const connectionId = queue.connection.id;
  const hasLink = isAsking || state.kind === 'pending' || state.kind === 'done';
  if (!hasLink || decided.current.connectionId !== connectionId) {
    decided.current = { connectionId, isLow: quota.left < quota.limit / 4 };
  }
  return decided.current.isLow;
}

/** Returns the message at the bottom of the popup. Null if there is nothing to show. */
function lineOf(props: BottomLineProps, isLow: boolean): ComponentChild {
  const { state, queue, quota, now, handlers } = props;
  const { blocked, wait } = queue.state;
  const promised = state.kind === 'pending' ? promisedShortUrl(state.request, state.connection) : null;
  if (blocked && (state.kind === 'done' || state.kind === 'blocked' || promised !== null)) {
    return <Block queue={queue} blocked={blocked} handlers={handlers} />;
  }
  const low = isLow && quota.moreAt !== null ? quotaText(quota.left, formatDateTime(quota.moreAt, now)) : null;
  if (state.kind === 'done' && !state.fresh && state.link.connectionId !== null) {
    return (
      <ShortenAgain {...props} link={state.link} text={low ?? t('madeOn', formatOnDay(state.link.createdAt, now))} />
    );
  }
  if (wait && !blocked && wait.reason !== 'quota' && wait.reason !== 'throttle' && state.kind === 'ready') {
    const status = { kind: 'waiting', reason: wait.reason, at: wait.until } as const;
    return <Warning text={statusMessage(status, null, now)} />;
  }
  if (state.kind === 'ready' && !blocked && isListMissing(queue.connection))
    return <Warning text={t('linksNotLoaded')} />;
  const isSaid = state.kind === 'pending' && 'reason' in state.status && state.status.reason === 'quota';
  return low === null || blocked || isSaid ? null : <Warning text={low} />;
}

function quotaText(left: number, when: string): string {
  return left > 0 ? plural('quotaLow', left, when) : t('quotaNone', when);
}

function Warning({ text }: { text: string }) {
  return (
    <div class="bottom-line is-warning">
      <Icon name="clock" />
      <p>{text}</p>
    </div>
  );
}

/** Reason why the queue is blocked, with a button that unblocks the queue. */
function Block({ queue, blocked, handlers }: { queue: Queue; blocked: BlockReason; handlers: PopupActions }) {
  return (
    <div class="bottom-line is-danger">
      <p>{blockMessage(queue, blocked)}</p>
      <button type="button" class="text-button" onClick={() => unblock(queue, blocked, handlers)}>
        {unblockName(blocked)}
      </button>
    </div>
  );
}

/** Button that creates another link for a page that already has one. */
function ShortenAgain({ link, text, isAsking, customize, handlers }: BottomLineProps & { link: Link; text: string }) {
  const { url, title } = link;
  const again = () => !isAsking && void handlers.shortenAnew({ url, title, userInfoRemoved: false });
  return (
    <div class="bottom-line">
      <p>{text}</p>
      <button type="button" class="text-button" onClick={again} aria-disabled={isAsking}>
        {t('shortenAgain')}
      </button>
      <button type="button" class="text-button is-quiet" onClick={customize}>
        {t('customize')}
      </button>
    </div>
  );
}
