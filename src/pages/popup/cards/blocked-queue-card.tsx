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
  halt: BlockReason;
  end: ComponentChild;
  /** Requests a short URL for the page. The request waits until the queue is unblocked. */
  shorten: () => void;
}

/** Explains why the server cannot be used. The buttons let the user solve the problem or save the page for later. */
export function BlockedQueueCard({ queue, halt, target, end, shorten, handlers }: BlockedQueueCardProps) {
  const focus = useAutofocus<HTMLButtonElement>(halt);
  return (
    <StageMessage
      target={target}
      icon="key"
      tone="is-danger"
      label={t('halted')}
      end={end}
      actions={
        <>
          <button
            type="button"
            class="button is-primary is-large"
            ref={focus}
            onClick={() => unblock(queue, halt, handlers)}
          >
            {unblockName(halt)}
          </button>
          <button type="button" class="button is-large is-beside" onClick={shorten}>
            {t('saveForLater')}
          </button>
          {isTriable(halt) && (
            <IconButton icon="retry" name={t('tryAgain')} press={() => handlers.tryNow(queue.connection.id)} />
          )}
        </>
      }
    >
      <p>{blockMessage(queue, halt)}</p>
    </StageMessage>
  );
}

/** Returns the message that explains why the queue is blocked. */
export function blockMessage({ connection }: Queue, halt: BlockReason): string {
  return t(`halt_${halt}`, displayUrl(connection.baseUrl).host);
}

/** Returns the label of the button that unblocks a queue. */
export function unblockName(halt: BlockReason): string {
  if (halt === 'permission') return t('allow');
  return t(halt === 'unauthorized' || halt === 'forbidden' ? 'replaceKey' : 'openOptions');
}

/**
 * Starts the action that unblocks a queue. Must be called in the click handler, because it may ask the browser for a
 * permission.
 */
export function unblock({ connection }: Queue, halt: BlockReason, handlers: PopupActions): void {
  if (halt === 'permission') handlers.allowAccess(connection);
  else handlers.openOptions();
}

/** True if the extension cannot detect that the problem is solved. The user then gets a button to try again. */
export function isTriable(halt: BlockReason): boolean {
  return halt !== 'permission' && halt !== 'key_missing';
}
