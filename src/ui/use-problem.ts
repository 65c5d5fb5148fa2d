import { useCallback, useState } from 'preact/hooks';
import type { Message } from '../messages/messages.ts';
import { askSurely } from './ask-surely.ts';
import { refusalSentence } from './sentences.ts';
import { t } from './strings.ts';

/** What went wrong, for people. */
export interface Problem {
  text: string;
  /** The URL it is about, where the person needs it. */
  url?: string;
}

/**
 * What went wrong last on a page, until the next thing goes well: with what the background was asked to change, or with
 * a copy.
 *
 * @param refresh reads the view again
 */
export function useProblem(refresh: () => Promise<unknown>) {
  const [problem, setProblem] = useState<Problem | null>(null);

  /** Whether it was done; what stood in its way is said. */
  const change = useCallback(
    async (message: Message): Promise<boolean> => {
      const refusal = await askSurely(message).then(
        (reply) => (reply.ok ? null : refusalSentence(reply.code)),
        () => t('noReply'),
      );
      // Unanswered, it may have been done or not: the view, read again, says which.
      await refresh().catch(() => undefined);
      setProblem(refusal === null ? null : { text: refusal });
      return refusal === null;
    },
    [refresh],
  );

  const copy = useCallback(async (text: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setProblem(null);
    } catch (error) {
      setProblem({ text: t('copyRefused'), url: text });
      throw error;
    }
  }, []);

  return { problem, say: setProblem, change, copy };
}
