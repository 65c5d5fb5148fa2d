import type { Signal } from '@preact/signals';
import { useCallback, useRef, useState } from 'preact/hooks';
import { writeClipboard } from '../browser/clipboard-and-download.ts';
import { requestHostPermission } from '../browser/host-permissions.ts';
import { t } from '../format/i18n.ts';
import { notShortenableMessage } from '../format/status-text.ts';
import { sendToBackgroundWithRetry } from '../messages/ask-background.ts';
import type { Message } from '../messages/protocol.ts';
import type { Connection } from '../queue/types.ts';
import type { FlashMessage } from './copier.ts';
import { Icon, IconButton } from './icons.tsx';

export type { FlashMessage };

/**
 * Error message over the page. It stays until the user dismisses it or an action succeeds. Dismissing the message
 * moves the focus back to the previous element.
 */
export function ErrorToast({ flash, dismiss }: { flash: FlashMessage; dismiss: () => void }) {
  const before = useRef<EventTarget | null>(null);
  const close = () => {
    if (before.current instanceof HTMLElement) before.current.focus();
    dismiss();
  };
  return (
    <div
      class="toast is-danger"
      onFocusIn={({ relatedTarget }) => {
        before.current = relatedTarget;
      }}
    >
      <Icon name="warning" />
      <p>
        {flash.text}{' '}
        {flash.url && (
          <bdi dir="ltr" class="whole">
            {flash.url}
          </bdi>
        )}
      </p>
      <IconButton icon="close" name={t('dismiss')} press={close} />
    </div>
  );
}

/** The place of a page's messages, with the error message if there is one. */
export function Toasts({ flash }: { flash: Signal<FlashMessage | null> }) {
  const dismiss = () => {
    flash.value = null;
  };
  return <div class="toasts">{flash.value && <ErrorToast flash={flash.value} dismiss={dismiss} />}</div>;
}

/**
 * Holds the error message that a page shows. The message disappears when a change or a copy to the clipboard
 * succeeds.
 *
 * @param refresh re-reads the page's data
 */
export function useErrorToast(refresh: () => Promise<unknown>) {
  const [flash, show] = useState<FlashMessage | null>(null);

  /** Sends a change to the background worker. Returns true on success; otherwise shows the error. */
  const change = useCallback(
    async (message: Message): Promise<boolean> => {
      const refusal = await sendToBackgroundWithRetry(message).then(
        (reply) => (reply.ok ? null : notShortenableMessage(reply.code)),
        () => t('noReply'),
      );
      // If there is no reply, the change may or may not have happened. Re-reading the data shows which.
      await refresh().catch(() => undefined);
      show(refusal === null ? null : { text: refusal });
      return refusal === null;
    },
    [refresh],
  );

  const copy = useCallback(async (text: string): Promise<void> => {
    try {
      await writeClipboard(text);
      show(null);
    } catch (error) {
      show({ text: t('copyRefused'), url: text });
      throw error;
    }
  }, []);

  return { flash, show, change, copy };
}

export type ErrorToastHandle = Pick<ReturnType<typeof useErrorToast>, 'change' | 'show'>;

/**
 * Asks the user for permission to access a connection's host. If the user grants the permission, the queue resumes.
 * If not, an error message is shown.
 * @returns true if the extension may now access the host
 */
export async function allowHostAndResume(
  { id, baseUrl }: Connection,
  { change, show }: ErrorToastHandle,
): Promise<boolean> {
  const isAllowed = await requestHostPermission(baseUrl);
  if (isAllowed) await change({ type: 'try-now', connectionId: id });
  else show({ text: t('permissionDenied') });
  return isAllowed;
}
