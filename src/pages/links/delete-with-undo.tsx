import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ErrorToastHandle } from '../../components/error-toast.tsx';
import { interpolate, UntrustedText } from '../../components/url-and-title.tsx';
import { connectionNames } from '../../format/display-text.ts';
import { joinSentences, t } from '../../format/i18n.ts';
import { serviceProblemMessage as problemSentence } from '../../format/status-text.ts';
import { connectionOfLink, deleteLink } from '../../link-sync/edit-and-delete-link.ts';
import type { Connection, Link } from '../../queue/types.ts';

/** Time in which a removal can be undone, in milliseconds. */
const UNDO_TIME = 8000;

/**
 * Removes links with a chance to undo. A link is only hidden at first. It is removed when its time is up, when another
 * link is removed, or when the user leaves the page.
 *
 * @param prepare returns the function that removes the link for good and resolves to true if it did
 */
export function useDeleteWithUndo(prepare: (link: Link) => () => Promise<boolean>) {
  // The id of a removed link may stay, since ids are never reused. It also hides the link from reads that started
  // before.
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [removed, setRemoved] = useState<Link | null>(null);
  const [held, setHeld] = useState(false);
  const pending = useRef<{ link: Link; commit: () => Promise<boolean> } | null>(null);

  const show = useCallback((id: string) => setHidden((ids) => new Set([...ids].filter((one) => one !== id))), []);

  const settle = useCallback(async () => {
    const removal = pending.current;
    pending.current = null;
    setRemoved(null);
    if (removal && !(await removal.commit())) show(removal.link.id);
  }, [show]);

  useEffect(() => {
    if (!removed || held) return;
    const timer = setTimeout(() => void settle(), UNDO_TIME);
    return () => clearTimeout(timer);
  }, [removed, held, settle]);

  useEffect(() => {
    const leave = () => void settle();
    addEventListener('pagehide', leave);
    return () => removeEventListener('pagehide', leave);
  }, [settle]);

  const remove = useCallback(
    (link: Link) => {
      void settle();
      pending.current = { link, commit: prepare(link) };
      setHidden((ids) => new Set(ids).add(link.id));
      setRemoved(link);
    },
    [settle, prepare],
  );

  const undo = useCallback(() => {
    const removal = pending.current;
    pending.current = null;
    setRemoved(null);
    if (removal) show(removal.link.id);
  }, [show]);

  /** Pauses the time while the pointer or the focus is on the Undo button. */
  return { hidden, removed, remove, undo, hold: setHeld };
}

/**
 * Returns a function that removes a link for good: it deletes the link on its server, or from the history if no server
 * lists it. Resolves to true on success; otherwise shows the error.
 */
export function useCommit({ change, show }: ErrorToastHandle, connections: Connection[]) {
  return useCallback(
    (link: Link) => async (): Promise<boolean> => {
      const connection = connectionOfLink(link, connections);
      if (!connection) return change({ type: 'remove-link', id: link.id });
      const problem = await deleteLink(connection, link);
      const name = connectionNames(connections).get(connection.id) ?? '';
      const text = joinSentences(t('serviceUnchanged'), problem ? problemSentence(problem, name, 'manage') : '');
      show(problem && { text, url: link.shortUrl });
      return problem === null;
    },
    [change, show, connections],
  );
}

const MAC = navigator.userAgent.includes('Mac OS');

/** Keyboard shortcut for undo, as shown to users and as written for assistive technology. */
export const UNDO_KEYS = MAC ? { shown: '⌘Z', aria: 'Meta+Z' } : { shown: 'Ctrl+Z', aria: 'Control+Z' };

/** True if a key press asks to undo. In a text field, the shortcut belongs to the field. */
export function isUndo({ key, code, ctrlKey, metaKey, shiftKey, altKey, target }: KeyboardEvent): boolean {
  if (target instanceof HTMLInputElement || shiftKey || altKey) return false;
  // On keyboards without Latin letters, the physical key counts. On Latin ones it may be another letter.
  const isZ = key.toLowerCase() === 'z' || (code === 'KeyZ' && !/^[a-z]$/i.test(key));
  return isZ && (MAC ? metaKey : ctrlKey);
}

interface RemovedToastProps {
  link: Link;
  /** True if the link is deleted on its server, not only removed from the list. */
  isDeletion: boolean;
  undo: () => void;
  /** Pauses the time in which the removal can be undone, or starts it again. */
  hold: (on: boolean) => void;
}

/** Message after a removal, with an Undo button. It stays while the pointer or the focus is on it. */
export function RemovedToast({ link, isDeletion, undo, hold }: RemovedToastProps) {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  useEffect(() => {
    hold(pointed || focused);
    return () => hold(false);
  }, [hold, pointed, focused]);

  return (
    <fieldset
      class="toast"
      onMouseEnter={() => setPointed(true)}
      onMouseLeave={() => setPointed(false)}
      onFocusIn={() => setFocused(true)}
      onFocusOut={() => setFocused(false)}
    >
      <p>{interpolate(isDeletion ? 'deleted' : 'removed', <UntrustedText text={link.title || link.shortUrl} />)}</p>
      <button type="button" class="button" aria-keyshortcuts={UNDO_KEYS.aria} onClick={undo}>
        {t('undo')}
        <span class="keys" aria-hidden="true">
          {UNDO_KEYS.shown}
        </span>
      </button>
    </fieldset>
  );
}
