import { type Signal, signal } from '@preact/signals';
import type { FlashMessage } from '../../components/page-store.ts';
import { connectionNames } from '../../format/display-text.ts';
import { joinSentences, plural, t } from '../../format/i18n.ts';
import { notShortenableMessage, serviceProblemMessage } from '../../format/status-text.ts';
import type { deleteLinks } from '../../link-sync/ask-server.ts';
import type { DeletionFailure } from '../../messages/protocol.ts';
import type { Connection, Link } from '../../queue/types.ts';

/** Time in which a deletion can be undone, in milliseconds. */
const UNDO_MS = 8000;

/** Links that the page hides and then deletes. */
export interface Deletion {
  links: Link[];
  /** Connections when the user deleted the links. The links are deleted from these servers. */
  connections: Connection[];
}

/**
 * Deletes links in a way that can be undone. At first, the links are only hidden. They are deleted when the undo
 * period ends, or when the user deletes other links or leaves the page.
 *
 * @param refresh re-reads the page's links
 */
export function createDeletion(
  send: typeof deleteLinks,
  flash: Signal<FlashMessage | null>,
  refresh: () => Promise<unknown>,
) {
  // Ids of deleted links stay in this set, because a read that started before the deletion may still return the links. A
  // link that another browser creates with the same code has the same id, so this page shows it only after a reload.
  const hidden = signal<ReadonlySet<string>>(new Set());
  /** Deletion that can still be undone. */
  const pending = signal<Deletion | null>(null);
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Removes the pending deletion and returns it. */
  function take(): Deletion | null {
    const deletion = pending.value;
    clearTimeout(timer);
    pending.value = null;
    return deletion;
  }

  function unhide(links: Link[]): void {
    hidden.value = hidden.value.difference(new Set(links.map(({ id }) => id)));
  }

  /** Hides links. The previous deletion can no longer be undone. */
  function start(deletion: Deletion): void {
    void finish();
    flash.value = null;
    hidden.value = hidden.value.union(new Set(deletion.links.map(({ id }) => id)));
    pending.value = deletion;
    timer = setTimeout(() => void finish(), UNDO_MS);
  }

  /** Deletes the hidden links permanently. Shows the links that could not be deleted, with the reason. */
  async function finish(): Promise<void> {
    const deletion = take();
    if (!deletion) return;
    const { links, connections } = deletion;
    const reply = await send(links, connections).catch(() => null);
    if (reply?.ok && reply.value.length === 0) return;
    // Some links may have been deleted before the failure. Re-reading removes these links from the page.
    await refresh().catch(() => undefined);
    if (reply?.ok) {
      const ids = new Set(reply.value.flatMap(({ left }) => left));
      const left = links.filter(({ id }) => ids.has(id));
      flash.value = failureMessage(reply.value, left, connections);
      unhide(left);
    } else {
      flash.value = { text: reply ? notShortenableMessage(reply.code) : t('noReply') };
      unhide(links);
    }
  }

  /** Shows the hidden links again. */
  function undo(): void {
    unhide(take()?.links ?? []);
  }

  return { hidden, pending, start, finish, undo };
}

/** Returns the message about links that could not be deleted, with the reason given by each server. */
function failureMessage(failures: DeletionFailure[], left: Link[], connections: Connection[]): FlashMessage {
  const names = connectionNames(connections);
  const reasons = failures.map(({ connectionId, problem }) =>
    serviceProblemMessage(problem, names.get(connectionId) ?? '', 'manage'),
  );
  const text = joinSentences(plural('linksNotDeleted', left.length), ...new Set(reasons));
  return left[0] && left.length === 1 ? { text, url: left[0].shortUrl } : { text };
}
