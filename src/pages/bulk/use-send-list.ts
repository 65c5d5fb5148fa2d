import { useCallback, useRef, useState } from 'preact/hooks';
import type { FlashMessage } from '../../components/error-toast.tsx';
import { t } from '../../format/i18n.ts';
import { notShortenableMessage } from '../../format/status-text.ts';
import { sendToBackgroundWithRetry } from '../../messages/ask-background.ts';
import type { Accepted } from '../../messages/protocol.ts';
import { type Entry, type ListState, MAX_URLS, shortenCommands } from './list-model.ts';

interface Sending {
  list: Pick<ListState, 'choose' | 'takeOut'>;
  chosen: Entry[];
  connectionId: string | null;
  show: (flash: FlashMessage | null) => void;
  /** Called when the group has been accepted and stored. */
  accepted: (groupId: string) => void;
}

/**
 * Sends the selected entries as one group. The group's id is generated once and reused until the background worker
 * replies. If the worker stops before it replies, sending again creates no second group. Refused entries stay in the
 * list.
 */
export function useSendList({ list, chosen, connectionId, show, accepted }: Sending) {
  const [sending, setSending] = useState(false);
  const asked = useRef<{ groupId: string; ids: string } | null>(null);

  const send = useCallback(async () => {
    const entries = chosen.slice(0, MAX_URLS);
    const ids = entries.map(({ id }) => id).join();
    if (asked.current?.ids !== ids) asked.current = { groupId: crypto.randomUUID(), ids };
    const { groupId } = asked.current;
    setSending(true);
    // Selects the entries explicitly, because an entry whose URL is already in the queue is not selected by default.
    // Without this selection, sending again after an error would skip these entries.
    list.choose(
      entries.map(({ id }) => id),
      true,
    );
    try {
      const reply = await sendToBackgroundWithRetry<Accepted>({
        type: 'shorten',
        orders: shortenCommands(entries),
        connectionId,
        options: null,
        anew: false,
        groupId,
      });
      if (!reply.ok) return show({ text: notShortenableMessage(reply.code) });
      asked.current = null;
      const refused = new Set(reply.value.refused.map(({ orderId }) => orderId));
      list.takeOut(new Set(entries.map(({ id }) => id).filter((id) => !refused.has(id))));
      show(refusedFlash(entries, reply.value));
      // If every entry is refused, no group is created and the list does not change.
      if (refused.size < entries.length) accepted(groupId);
    } catch {
      show({ text: t('noReply') });
    } finally {
      setSending(false);
    }
  }, [list, chosen, connectionId, show, accepted]);

  return { sending, send: () => void send() };
}

/** Returns a message about the first refused entry. Null if no entry was refused. */
function refusedFlash(entries: Entry[], { refused }: Accepted): FlashMessage | null {
  const [first] = refused;
  const url = entries.find(({ id }) => id === first?.orderId)?.url;
  return first && url !== undefined ? { text: notShortenableMessage(first.code), url } : null;
}
