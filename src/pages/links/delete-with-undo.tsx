import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ErrorToastHandle } from '../../components/error-toast.tsx';
import { interpolate, UntrustedText } from '../../components/url-and-title.tsx';
import { connectionNames } from '../../format/display-text.ts';
import { joinSentences, t } from '../../format/i18n.ts';
import { serviceProblemMessage as problemSentence } from '../../format/status-text.ts';
import { connectionOfLink, deleteLink } from '../../link-sync/edit-and-delete-link.ts';
import type { Connection, Link } from '../../queue/types.ts';

/** How long a removal can be undone, in milliseconds. */
const UNDO_TIME = 8000;

/**
 * A removal that can be undone: the link is only hidden until its time is up, another link is removed, or the page is
 * left.
 *
 * @param prepare gives what takes the link out for good, by what is known of it now, and answers whether it is out
 */
export function useDeleteWithUndo(prepare: (link: Link) => () => Promise<boolean>) {
  // A link that is out never comes back, so its id may stay: no view read too early can bring it up again.
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

  /** Stops the time while somebody is at the button that undoes. */
  return { hidden, removed, remove, undo, hold: setHeld };
}

/**
 * What a removal comes to once it can be undone no more: the link is deleted at the service that it had when it was removed,
 * or taken off the list where no service lists it. Whether it is gone is answered; what stood in the way is shown.
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

/** The keys that undo, as everywhere: as they are written for people, and for assistive technology. */
export const UNDO_KEYS = MAC ? { shown: '⌘Z', aria: 'Meta+Z' } : { shown: 'Ctrl+Z', aria: 'Control+Z' };

/** Whether a key press asks to undo. In a field, it undoes what was typed there. */
export function isUndo({ key, code, ctrlKey, metaKey, shiftKey, altKey, target }: KeyboardEvent): boolean {
  if (target instanceof HTMLInputElement || shiftKey || altKey) return false;
  // On a keyboard without Latin letters, the physical key tells. On a Latin one it may be another letter.
  const isZ = key.toLowerCase() === 'z' || (code === 'KeyZ' && !/^[a-z]$/i.test(key));
  return isZ && (MAC ? metaKey : ctrlKey);
}

interface RemovedToastProps {
  link: Link;
  /** It is deleted at its service, not only taken off the list. */
  isDeletion: boolean;
  undo: () => void;
  /** Stops the time in which it can be undone, or starts it anew. */
  hold: (on: boolean) => void;
}

/** A removal, and the way back. It stays for as long as the pointer or the focus is on it. */
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
