import type { ComponentChild } from 'preact';
import { useCallback, useRef, useState } from 'preact/hooks';
import type { CopyPlan } from '../../../link-sync/plan-copy-to-server.ts';
import { sendToBackgroundWithRetry } from '../../../messages/ask-background.ts';
import { pageAddress } from '../../../messages/open-page-with-data.ts';
import type { Accepted, ShortenCommand } from '../../../messages/protocol.ts';
import { NO_OPTIONS } from '../../../queue/add-replace-delete-connection.ts';
import { splitIntoChunks } from '../../../queue/batch-requests.ts';
import type { Connection, Link } from '../../../queue/types.ts';

/** Maximum number of links in one bulk list. */
const LIST_SIZE = 1_000;

interface CopyContext {
  known: Link[];
  connections: Connection[];
  now: number;
  /** Called if at least one link could not be copied. */
  failed: () => void;
}

/** Holds the dialog that copies links to another server. Its code is loaded on first use. */
export function useCopyDialog(context: CopyContext) {
  const [copyDialog, setDialog] = useState<ComponentChild>(null);
  const latest = useRef(context);
  latest.current = context;
  const showCopy = useCallback(async (links: Link[]) => {
    const { CopyDialog } = await import('./copy-dialog.tsx');
    const { known, connections, now, failed } = latest.current;
    const copy = (connectionId: string, plan: CopyPlan) => void createLists(connectionId, plan, failed);
    setDialog(<CopyDialog {...{ links, known, connections, now, copy }} close={() => setDialog(null)} />);
  }, []);
  return { copyDialog, showCopy };
}

/** Submits the links in lists of up to `LIST_SIZE` links. If no link is refused, opens the page of the first list. */
async function createLists(connectionId: string, { orders }: CopyPlan, failed: () => void): Promise<void> {
  const ids: string[] = [];
  let isComplete = true;
  for (const part of splitIntoChunks(orders, LIST_SIZE)) {
    const groupId = crypto.randomUUID();
    const refused = await createList(connectionId, groupId, part);
    if (refused === null) return failed();
    isComplete &&= refused === 0;
    ids.push(groupId);
  }
  const [first] = ids;
  if (!isComplete) failed();
  else if (first) location.assign(pageAddress('bulk', false, `group=${first}`));
}

/**
 * Creates one bulk list. The message contains explicit options, because the user's default settings would otherwise
 * change the URLs. Returns the number of refused links, or null if the whole list was not accepted.
 */
async function createList(connectionId: string, groupId: string, orders: ShortenCommand[]): Promise<number | null> {
  const reply = await sendToBackgroundWithRetry<Accepted>({
    type: 'shorten',
    ...{ orders, connectionId, groupId },
    options: NO_OPTIONS,
    anew: true,
    private: false,
  }).catch(() => null);
  return reply?.ok ? reply.value.refused.length : null;
}
