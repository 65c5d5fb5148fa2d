import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Link } from '../queue/types.ts';

/** How long a removal can be undone, in milliseconds. */
const UNDO_TIME = 8000;

/**
 * A removal that can be undone: the link is only hidden until its time is up, another link is removed, or the page is
 * left.
 *
 * @param commit takes the link out for good
 */
export function useRemoval(commit: (link: Link) => Promise<void>) {
  const [hidden, setHidden] = useState<Link | null>(null);
  const held = useRef<Link | null>(null);

  const settle = useCallback(async () => {
    const link = held.current;
    held.current = null;
    if (link) await commit(link);
    // The view has been read again by now: the link does not flash up in between.
    setHidden((current) => (current === link ? null : current));
  }, [commit]);

  useEffect(() => {
    if (!hidden) return;
    const timer = setTimeout(() => void settle(), UNDO_TIME);
    return () => clearTimeout(timer);
  }, [hidden, settle]);

  useEffect(() => {
    const leave = () => void settle();
    addEventListener('pagehide', leave);
    return () => removeEventListener('pagehide', leave);
  }, [settle]);

  return {
    hidden,
    remove: (link: Link) => {
      void settle();
      held.current = link;
      setHidden(link);
    },
    undo: () => {
      held.current = null;
      setHidden(null);
    },
  };
}
