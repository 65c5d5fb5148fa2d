import type { ComponentChild } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../components/icons.tsx';
import { remedyLabel } from '../../components/unfinished-requests.tsx';
import { plural, t } from '../../format/i18n.ts';
import { formatDateTime, formatOnDay } from '../../format/relative-time.ts';
import { statusMessage } from '../../format/status-text.ts';
import { promisedShortUrl } from '../../queue/short-code-generator.ts';
import { blockRemedies } from '../../queue/status/remedies.ts';
import type { QuotaLeft } from '../../queue/status/request-status.ts';
import type { Queue } from '../../queue/types.ts';
import { isListMissing } from '../../servers/capabilities.ts';
import { blockMessage } from './card-layout.tsx';
import type { PopupStore } from './popup-store.ts';

/**
 * The line at the bottom of the popup. It shows only the most important message. If a message can appear later, space
 * is reserved for it, so that the height of the popup does not change.
 */
export function BottomLine({ store }: { store: PopupStore }) {
  const root = useRef<HTMLDivElement>(null);
  const { chosen, quota } = store;
  const isLow = useLowQuota(store);
  useLayoutEffect(() => {
    if (root.current) root.current.style.minBlockSize = `${root.current.getBoundingClientRect().height}px`;
  });
  if (!chosen.value || !quota.value) return null;
  const line = lineOf(store, chosen.value, isLow ? quotaText(quota.value, store.now.value) : null);
  return (
    <div class="bottom" ref={root}>
      {line ?? (
        <div class="bottom-room" inert>
          {chosen.value.state.blocked && <Block queue={chosen.value} store={store} />}
        </div>
      )}
    </div>
  );
}

/**
 * True if less than a quarter of the quota is left. The value is not updated while the popup creates or shows a link.
 * Otherwise, the message about the quota could appear just below the finished link.
 */
function useLowQuota({ state, chosen, quota, asking }: PopupStore): boolean {
  const decided = useRef({ connectionId: '', isLow: false });
  const connectionId = chosen.value?.connection.id ?? '';
  const hasLink = asking.value !== null || state.value.kind === 'pending' || state.value.kind === 'done';
  if (quota.value && (!hasLink || decided.current.connectionId !== connectionId)) {
    decided.current = { connectionId, isLow: quota.value.left < quota.value.limit / 4 };
  }
  return decided.current.isLow;
}

/**
 * Returns the message at the bottom of the popup. Null if there is nothing to show.
 *
 * @param low message about the quota, if little is left
 */
function lineOf(store: PopupStore, queue: Queue, low: string | null): ComponentChild {
  const { blocked, wait } = queue.state;
  const state = store.state.value;
  const now = store.now.value;
  const isPromised = state.kind === 'pending' && promisedShortUrl(state.request, state.connection) !== null;
  if (blocked && (state.kind === 'done' || state.kind === 'blocked' || isPromised)) {
    return <Block queue={queue} store={store} />;
  }
  if (state.kind === 'done' && !state.fresh && state.link.connectionId !== null) {
    return <ShortenAgain text={low ?? t('madeOn', formatOnDay(state.link.createdAt, now))} store={store} />;
  }
  if (state.kind === 'ready' && !blocked) {
    if (wait?.reason === 'unreachable' || wait?.reason === 'busy') {
      const status = { kind: 'waiting', reason: wait.reason, at: wait.until } as const;
      return <Warning text={statusMessage(status, null, now)} />;
    }
    if (isListMissing(queue.connection)) return <Warning text={t('linksNotLoaded')} />;
  }
  const isSaid = state.kind === 'pending' && 'reason' in state.status && state.status.reason === 'quota';
  return low === null || blocked || isSaid ? null : <Warning text={low} />;
}

function quotaText({ left, moreAt }: QuotaLeft, now: number): string | null {
  if (moreAt === null) return null;
  const when = formatDateTime(moreAt, now);
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
function Block({ queue, store }: { queue: Queue; store: PopupStore }) {
  const { blocked } = queue.state;
  const [best] = blocked ? blockRemedies(blocked) : [];
  if (!blocked || !best) return null;
  return (
    <div class="bottom-line is-danger">
      <p>{blockMessage(queue, blocked)}</p>
      <button type="button" class="text-button" onClick={() => store.apply(best, queue.connection)}>
        {remedyLabel(best)}
      </button>
    </div>
  );
}

/** Buttons that create another link for a page that already has one. */
function ShortenAgain({ text, store }: { text: string; store: PopupStore }) {
  return (
    <div class="bottom-line">
      <p>{text}</p>
      <button
        type="button"
        class="text-button"
        onClick={() => store.shortenTarget(true)}
        aria-disabled={store.asking.value !== null}
      >
        {t('shortenAgain')}
      </button>
      <button type="button" class="text-button is-quiet" onClick={() => store.customize({ anew: true })}>
        {t('customize')}
      </button>
    </div>
  );
}
