import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ErrorToastHandle, FlashMessage } from '../../components/error-toast.tsx';
import { Icon } from '../../components/icons.tsx';
import { connectionNames } from '../../format/display-text.ts';
import { joinSentences, plural, t } from '../../format/i18n.ts';
import { notShortenableMessage, serviceProblemMessage as problemSentence } from '../../format/status-text.ts';
import { connectionOfLink, deleteLinks } from '../../link-sync/ask-server.ts';
import type { DeletionFailure } from '../../messages/protocol.ts';
import type { Connection, Link } from '../../queue/types.ts';

/** Time in which a removal can be undone, in milliseconds. */
const UNDO_TIME = 8000;

/**
 * Removes links and lets the user undo the removal. At first, the links are only hidden. Permanent removal follows
 * when the undo period ends, the user removes other links, or the user leaves the page.
 *
 * @param prepare called when links are hidden; returns a function that removes them permanently and resolves to the
 * links that it could not remove
 */
export function useDeleteWithUndo(prepare: (links: Link[]) => () => Promise<Link[]>) {
  // Ids of removed links stay in this set, because a read that started before the removal may still return the links.
  // Ids are never reused.
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [removed, setRemoved] = useState<Link[]>([]);
  const [held, setHeld] = useState(false);
  const pending = useRef<{ links: Link[]; commit: () => Promise<Link[]> } | null>(null);

  const show = useCallback((links: Link[]) => {
    const ids = new Set(links.map(({ id }) => id));
    setHidden((before) => new Set([...before].filter((id) => !ids.has(id))));
  }, []);

  const settle = useCallback(async () => {
    const removal = pending.current;
    pending.current = null;
    setRemoved([]);
    if (removal) show(await removal.commit());
  }, [show]);

  useEffect(() => {
    if (removed.length === 0 || held) return;
    const timer = setTimeout(() => void settle(), UNDO_TIME);
    return () => clearTimeout(timer);
  }, [removed, held, settle]);

  useEffect(() => {
    const leave = () => void settle();
    addEventListener('pagehide', leave);
    return () => removeEventListener('pagehide', leave);
  }, [settle]);

  const remove = useCallback(
    (links: Link[]) => {
      void settle();
      pending.current = { links, commit: prepare(links) };
      setHidden((ids) => new Set([...ids, ...links.map(({ id }) => id)]));
      setRemoved(links);
    },
    [settle, prepare],
  );

  const undo = useCallback(() => {
    const removal = pending.current;
    pending.current = null;
    setRemoved([]);
    if (removal) show(removal.links);
  }, [show]);

  /** `hold(true)` stops the undo timer. `hold(false)` restarts the timer from the beginning. */
  return { hidden, removed, remove, undo, hold: setHeld };
}

/**
 * Returns the `prepare` function for `useDeleteWithUndo`. It deletes links from the history and from their servers.
 * It uses the connections that exist when the user removes the links. If some links cannot be deleted, an error
 * message gives the reason.
 *
 * @param refresh re-reads the page's links
 */
export function useCommit(
  { show }: Pick<ErrorToastHandle, 'show'>,
  refresh: () => Promise<unknown>,
  connections: Connection[],
) {
  return useCallback(
    (links: Link[]) => {
      // Removes the error message about the previous removal.
      show(null);
      return async (): Promise<Link[]> => {
        const reply = await deleteLinks(links, connections).catch(() => null);
        if (reply?.ok && reply.value.length === 0) return [];
        // Some links may have been deleted before the failure. Re-reading the links removes the deleted ones from the
        // page.
        await refresh().catch(() => undefined);
        if (!reply?.ok) {
          show({ text: reply ? notShortenableMessage(reply.code) : t('noReply') });
          return links;
        }
        const ids = new Set(reply.value.flatMap(({ left }) => left));
        const left = links.filter(({ id }) => ids.has(id));
        show(failureMessage(reply.value, left, connections));
        return left;
      };
    },
    [show, refresh, connections],
  );
}

/** Returns the message about links that could not be deleted, with the reason given by each server. */
function failureMessage(failures: DeletionFailure[], left: Link[], connections: Connection[]): FlashMessage {
  const names = connectionNames(connections);
  const reasons = failures.map(({ connectionId, problem }) =>
    problemSentence(problem, names.get(connectionId) ?? '', 'manage'),
  );
  const text = joinSentences(plural('linksNotDeleted', left.length), ...new Set(reasons));
  return left[0] && left.length === 1 ? { text, url: left[0].shortUrl } : { text };
}

const MAC = navigator.userAgent.includes('Mac OS');

/** Keyboard shortcut for undo: `shown` is the text for users, `aria` is the value of `aria-keyshortcuts`. */
export const UNDO_KEYS = MAC ? { shown: '⌘Z', aria: 'Meta+Z' } : { shown: 'Ctrl+Z', aria: 'Control+Z' };

/** Fields in which the browser handles undo. */
const TEXT_FIELDS = 'textarea, input:not([type="checkbox"], [type="radio"])';

/** True if a key press is the undo shortcut. In a text field, the browser handles the shortcut. */
export function isUndo({ key, code, ctrlKey, metaKey, shiftKey, altKey, target }: KeyboardEvent): boolean {
  if (shiftKey || altKey || (target instanceof Element && target.matches(TEXT_FIELDS))) return false;
  // On a keyboard layout with Latin letters, only the key that types Z matches. On other layouts, the key in the
  // position of Z on a US keyboard matches.
  const isZ = key.toLowerCase() === 'z' || (code === 'KeyZ' && !/^[a-z]$/i.test(key));
  return isZ && (MAC ? metaKey : ctrlKey);
}

interface RemovedToastProps {
  links: Link[];
  connections: Connection[];
  undo: () => void;
  /** Stops the undo timer if `on` is true. Otherwise, restarts the timer. */
  hold: (on: boolean) => void;
  /** True if the control that removed the links has disappeared. The toast then receives focus. */
  takesFocus: boolean;
  /** Moves the focus to the page. Called if the toast has the focus when it disappears. */
  returnFocus: () => void;
}

/**
 * Message after a removal, with an Undo button. The message stays open while the user points at it or has moved the
 * focus to it.
 */
export function RemovedToast({ links, connections, undo, hold, takesFocus, returnFocus }: RemovedToastProps) {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  /**
   * True while the Undo button has the focus because of `takesFocus`. This does not keep the toast open, because the
   * user did not move the focus there.
   */
  const isFocusTaken = useRef(false);
  useEffect(() => {
    hold(pointed || focused);
    return () => hold(false);
  }, [hold, pointed, focused]);
  useLayoutEffect(() => {
    isFocusTaken.current = takesFocus;
    if (takesFocus) button.current?.focus();
    return () => {
      if (document.activeElement === button.current) returnFocus();
    };
  }, []);

  return (
    <fieldset
      class="toast"
      onMouseEnter={() => setPointed(true)}
      onMouseLeave={() => setPointed(false)}
      onFocusIn={() => setFocused(!isFocusTaken.current)}
      onFocusOut={({ relatedTarget }) => {
        // A missing `relatedTarget` means that the user switched to another window, not to another control.
        if (relatedTarget) isFocusTaken.current = false;
        setFocused(false);
      }}
    >
      <p>{removalMessage(links, connections)}</p>
      <button ref={button} type="button" class="button" aria-keyshortcuts={UNDO_KEYS.aria} onClick={undo}>
        <Icon name="undo" />
        {t('undo')}
      </button>
    </fieldset>
  );
}

/** Returns a message about the removed links and about the effect on their short URLs. */
export function removalMessage(links: Link[], connections: Connection[]): string {
  const onServer = links.filter((link) => connectionOfLink(link, connections)).length;
  if (onServer === 0) return joinSentences(plural('linksRemoved', links.length), plural('removeText', links.length));
  const text = onServer === links.length ? plural('deleteText', onServer) : t('deleteSomeText');
  return joinSentences(plural('linksDeleted', links.length), text);
}
