import type { ComponentChild, ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon, IconButton } from '../../components/icons.tsx';
import { remedyLabel } from '../../components/unfinished-requests.tsx';
import { displayUrl } from '../../format/display-text.ts';
import { plural, t } from '../../format/i18n.ts';
import { formatDateTime, formatOnDay } from '../../format/relative-time.ts';
import { statusMessage } from '../../format/status-text.ts';
import { blockRemedies, type QuotaLeft } from '../../queue/status.ts';
import type { BlockReason, Connection } from '../../queue/types.ts';
import { isListMissing } from '../../servers/capabilities.ts';
import type { PopupStore } from './popup-store.ts';

/**
 * The line at the bottom of the popup. It shows only the most important message. Its height never decreases, so that
 * the popup does not move when a message disappears.
 */
export function BottomLine({ store }: { store: PopupStore }) {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (root.current) root.current.style.minBlockSize = `${root.current.getBoundingClientRect().height}px`;
  });
  return (
    <div class="bottom" ref={root}>
      {lineOf(store)}
    </div>
  );
}

/** Returns the message at the bottom of the popup. Null if there is nothing to show. */
function lineOf(store: PopupStore): ComponentChild {
  const [queue, quota, state, now] = [store.chosen.value, store.quota.value, store.state.value, store.now.value];
  if (!queue || !quota) return null;
  const { blocked, wait } = queue.state;
  // The main area already shows why its own request waits.
  const isSaid = state.kind === 'pending' && 'reason' in state.status && state.status.reason === blocked;
  if (blocked) return isSaid ? null : blockLine(blocked, queue.connection, store);
  const low = quota.left < quota.limit / 4 ? quotaText(quota, now) : null;
  if (state.kind === 'done' && !state.fresh && state.link.connectionId !== null) {
    return againLine(low ?? t('madeOn', formatOnDay(state.link.createdAt, now)), store);
  }
  // A message about the quota that appears just below a new link would look like an error.
  if (state.kind !== 'ready' && state.kind !== 'blocked') return null;
  if (wait?.reason === 'unreachable' || wait?.reason === 'busy') {
    const status = { kind: 'waiting', reason: wait.reason, at: wait.until } as const;
    return <Line tone="is-warning" text={statusMessage(status, null, now)} />;
  }
  if (isListMissing(queue.connection)) return <Line tone="is-warning" text={t('linksNotLoaded')} />;
  return low && <Line tone="is-warning" text={low} />;
}

function quotaText({ left, moreAt }: QuotaLeft, now: number): string | null {
  if (moreAt === null) return null;
  const when = formatDateTime(moreAt, now);
  return left > 0 ? plural('quotaLow', left, when) : t('quotaNone', when);
}

interface LineProps {
  tone?: 'is-warning' | 'is-danger';
  text: string;
  children?: ComponentChildren;
}

function Line({ tone, text, children }: LineProps) {
  return (
    <div class={`bottom-line ${tone ?? ''}`}>
      {tone === 'is-warning' && <Icon name="clock" />}
      <p>{text}</p>
      {children}
    </div>
  );
}

/** Reason why the queue is blocked, with buttons that unblock the queue. */
function blockLine(blocked: BlockReason, connection: Connection, { apply }: PopupStore) {
  const [best, other] = blockRemedies(blocked);
  return (
    <Line tone="is-danger" text={t(`block_${blocked}`, displayUrl(connection.baseUrl).host)}>
      {best && (
        <button type="button" class="button" onClick={() => apply(best, connection)}>
          {remedyLabel(best)}
        </button>
      )}
      {other && <IconButton icon="retry" name={t('tryAgain')} press={() => apply(other, connection)} />}
    </Line>
  );
}

/** Buttons that create another link for a page that already has one. */
function againLine(text: string, { asking, shortenTarget, customize }: PopupStore) {
  const isAsking = asking.value !== null;
  return (
    <Line text={text}>
      <button type="button" class="text-button" onClick={() => shortenTarget(true)} aria-disabled={isAsking}>
        {t('shortenAgain')}
      </button>
      <button type="button" class="text-button is-quiet" onClick={() => customize({ anew: true })}>
        {t('customize')}
      </button>
    </Line>
  );
}
