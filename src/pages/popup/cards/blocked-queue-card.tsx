import type { ComponentChild } from 'preact';
import { useAutofocus } from '../../../components/hooks/use-autofocus.ts';
import { IconButton } from '../../../components/icons.tsx';
import { displayUrl } from '../../../format/display-text.ts';
import { t } from '../../../format/i18n.ts';
import type { BlockReason, Queue } from '../../../queue/types.ts';
import type { PopupActions } from '../use-popup-actions.ts';
import { type CardProps, StageMessage } from './card-layout.tsx';

interface BlockedQueueCardProps extends CardProps {
  queue: Queue;
  blocked: BlockReason;
  end: ComponentChild;
  /** Requests a short URL for the page. The request waits until the queue is unblocked. */
  shorten: () => void;
}

/** Explains why the server cannot be used. The buttons let the user solve the problem or save the page for later. */
export function BlockedQueueCard({ queue, blocked, target, end, shorten, handlers }: BlockedQueueCardProps) {
  const focus = useAutofocus<HTMLButtonElement>(blocked);
  return (
    <StageMessage
      target={target}
      icon="key"
      tone="is-danger"
      label={t('actionNeeded')}
      end={end}
      actions={
        <>
          <button
            type="button"
            class="button is-primary is-large"
            ref={focus}
            onClick={() => unblock(queue, blocked, handlers)}
          >
            {unblockName(blocked)}
          </button>
          <button type="button" class="button is-large is-beside" onClick={shorten}>
            {t('saveForLater')}
          </button>
          {isTriable(blocked) && (
            <IconButton icon="retry" name={t('tryAgain')} press={() => handlers.tryNow(queue.connection.id)} />
          )}
        </>
      }
    >
      <p>{blockMessage(queue, blocked)}</p>
    </StageMessage>
  );
}

/** Returns the message that explains why the queue is blocked. */
export function blockMessage({ connection }: Queue, blocked: BlockReason): string {
  return t(`block_${blocked}`, displayUrl(connection.baseUrl).host);
}

/** Returns the label of the button that unblocks a queue. */
export function unblockName(blocked: BlockReason): string {
  if (blocked === 'permission') return t('allow');
  return t(blocked === 'unauthorized' || blocked === 'forbidden' ? 'replaceKey' : 'openOptions');
}

/**
 * Starts the action that unblocks a queue. Must be called in the click handler, because it may ask the browser for a
 * permission.
 */
export function unblock({ connection }: Queue, blocked: BlockReason, handlers: PopupActions): void {
  if (blocked === 'permission') handlers.allowAccess(connection);
  else handlers.openOptions();
}

/** True if the extension cannot detect that the problem is solved. The user then gets a button to try again. */
export function isTriable(blocked: BlockReason): boolean {
  return blocked !== 'permission' && blocked !== 'key_missing';
}
