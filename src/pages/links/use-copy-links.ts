import { useCallback, useState } from 'preact/hooks';
import type { CopyPlan } from '../../link-sync/copy-links.ts';
import { sendToBackgroundWithRetry } from '../../messages/ask-background.ts';
import { pageAddress } from '../../messages/open-page.ts';
import type { Accepted, ShortenCommand } from '../../messages/protocol.ts';
import { NO_OPTIONS } from '../../queue/add-replace-delete-connection.ts';
import { splitIntoChunks } from '../../queue/batch-requests.ts';
import type { Link } from '../../queue/types.ts';

/** Maximum number of links in one list. */
const LIST_SIZE = 1_000;

/** Holds the links for which the dialog is open, and creates their copies as lists. */
export function useCopyLinks(failed: () => void) {
  const [asked, ask] = useState<Link[] | null>(null);
  const copy = useCallback(
    async (connectionId: string, { orders }: CopyPlan) => {
      const ids: string[] = [];
      for (const part of splitIntoChunks(orders, LIST_SIZE)) {
        const groupId = crypto.randomUUID();
        if (!(await createList(connectionId, groupId, part))) return failed();
        ids.push(groupId);
      }
      const [first] = ids;
      if (first) location.assign(pageAddress('bulk', false, `group=${first}`));
    },
    [failed],
  );
  return { asked, ask, close: useCallback(() => ask(null), []), copy };
}

/**
 * Creates one list. The options of the message keep the user's defaults from changing the URLs. Returns false if the
 * list was not accepted.
 */
async function createList(connectionId: string, groupId: string, orders: ShortenCommand[]): Promise<boolean> {
  const reply = await sendToBackgroundWithRetry<Accepted>({
    type: 'shorten',
    ...{ orders, connectionId, groupId },
    options: NO_OPTIONS,
    anew: true,
    private: false,
  }).catch(() => null);
  return reply?.ok === true;
}
