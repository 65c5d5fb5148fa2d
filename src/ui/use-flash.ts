import { useCallback, useState } from 'preact/hooks';
import type { Message } from '../messages/messages.ts';
import { sendWithRetry } from './send-with-retry.ts';
import { refusalSentence } from './sentences.ts';
import { t } from './strings.ts';
import { writeClipboard } from './write-clipboard.ts';

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
export function useFlash(refresh: () => Promise<unknown>) {
  const [flash, show] = useState<FlashMessage | null>(null);

  /** Whether it was done; what stood in its way is shown. */
  const change = useCallback(
    async (message: Message): Promise<boolean> => {
      const refusal = await sendWithRetry(message).then(
        (reply) => (reply.ok ? null : refusalSentence(reply.code)),
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
export type Flash = Pick<ReturnType<typeof useFlash>, 'change' | 'show'>;
