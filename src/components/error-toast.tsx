import { useCallback, useRef, useState } from 'preact/hooks';
import { writeClipboard } from '../browser/clipboard-and-download.ts';
import { requestHostPermission } from '../browser/host-permissions.ts';
import { t } from '../format/i18n.ts';
import { notShortenableMessage } from '../format/status-text.ts';
import { sendToBackgroundWithRetry } from '../messages/ask-background.ts';
import type { Message } from '../messages/protocol.ts';
import type { Connection } from '../queue/types.ts';
import { Icon, IconButton } from './icons.tsx';

/** Error message over the page. Dismissing it returns the focus to the previous control. It also goes with the next success. */
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

/** What went wrong, for people, over the page. */
export interface FlashMessage {
  text: string;
  /** The URL it is about, where the person needs it. */
  url?: string;
}

/**
 * What went wrong last on a page, until the next thing goes well: with what the background was told to change, or with
 * a copy.
 *
 * @param refresh reads what the page shows again
 */
export function useErrorToast(refresh: () => Promise<unknown>) {
  const [flash, show] = useState<FlashMessage | null>(null);

  /** Whether it was done; what stood in its way is shown. */
  const change = useCallback(
    async (message: Message): Promise<boolean> => {
      const refusal = await sendToBackgroundWithRetry(message).then(
        (reply) => (reply.ok ? null : notShortenableMessage(reply.code)),
        () => t('noReply'),
      );
      // Unanswered, it may have been done or not: what is read again says which.
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

/** How a page's handlers have something changed, and show what went wrong. */
export type ErrorToastHandle = Pick<ReturnType<typeof useErrorToast>, 'change' | 'show'>;

/**
 * Requests permission for a connection's host. If the user allows it, the queue resumes; otherwise the toast says why not.
 *
 * @returns true if the extension may reach the host now
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
