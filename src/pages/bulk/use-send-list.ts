import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { FlashMessage } from '../../components/error-toast.tsx';
import { formatNumber, joinSentences, t } from '../../format/i18n.ts';
import { notShortenableMessage } from '../../format/status-text.ts';
import { sendToBackgroundWithRetry } from '../../messages/ask-background.ts';
import type { Accepted, Reply } from '../../messages/protocol.ts';
import { type Entry, type ListState, MAX_URLS, shortenCommands } from './list-model.ts';

interface Sending {
  list: ListState;
  connectionId: string | null;
  isPrivate: boolean;
  show: (flash: FlashMessage | null) => void;
  /** The group was accepted, and is on disk. */
  accepted: (groupId: string) => void;
}

/**
 * Sends what is chosen of a list as one group. Its id is minted once and asked with until it is answered, so that a
 * background that dies over the question makes no second group. What is not taken stays in the list.
 */
export function useSendList({ list, connectionId, isPrivate, show, accepted }: Sending) {
  const [sending, setSending] = useState(false);
  const asked = useRef<{ groupId: string; ids: string } | null>(null);

  const send = useCallback(async () => {
    const entries = list.chosen.slice(0, MAX_URLS);
    const ids = entries.map(({ id }) => id).join();
    if (asked.current?.ids !== ids) asked.current = { groupId: crypto.randomUUID(), ids };
    const { groupId } = asked.current;
    setSending(true);
    try {
      const reply = await sendToBackgroundWithRetry<Accepted>({
        type: 'shorten',
        orders: shortenCommands(entries),
        connectionId,
        options: null,
        anew: false,
        private: isPrivate,
        groupId,
      });
      if (!reply.ok) return show({ text: refusalOfAll(reply) });
      asked.current = null;
      const refused = new Set(reply.value.refused.map(({ orderId }) => orderId));
      list.takeOut(new Set(entries.map(({ id }) => id).filter((id) => !refused.has(id))));
      show(refusedFlash(entries, reply.value));
      // Where all of it is refused there is no group, and nothing has left the list.
      if (refused.size < entries.length) accepted(groupId);
    } catch {
      show({ text: t('noReply') });
    } finally {
      setSending(false);
    }
  }, [list, connectionId, isPrivate, show, accepted]);

  return { sending, send: () => void send() };
}

/** Why nothing of a list was taken, and how much of it would be: of one alone it need not be said. */
function refusalOfAll({ code, fits = 0 }: Reply & { ok: false }): string {
  return joinSentences(notShortenableMessage(code), fits > 1 ? t('privateFits', formatNumber(fits)) : '');
}

/** Names the first address that was not taken after all; it is in the list still. */
function refusedFlash(entries: Entry[], { refused }: Accepted): FlashMessage | null {
  const [first] = refused;
  const url = entries.find(({ id }) => id === first?.orderId)?.url;
  return first && url !== undefined ? { text: notShortenableMessage(first.code), url } : null;
}

/** Has the browser ask before it closes or leaves the page while addresses are chosen that are nowhere but on it. */
export function useUnsent(hasUnsent: boolean): void {
  useEffect(() => {
    if (!hasUnsent) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [hasUnsent]);
}
