import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Link } from '../queue/types.ts';

/** How long a removal can be undone, in milliseconds. */
const UNDO_TIME = 8000;

/**
 * A removal that can be undone: the link is only hidden until its time is up, another link is removed, or the page is
 * left.
 *
 * @param prepare gives what takes the link out for good, by what is known of it now, and answers whether it is out
 */
export function useRemoval(prepare: (link: Link) => () => Promise<boolean>) {
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
