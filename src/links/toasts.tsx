import { useEffect, useState } from 'preact/hooks';
import type { Link } from '../queue/types.ts';
import { fill } from '../ui/fill.tsx';
import { ForeignText } from '../ui/foreign-text.tsx';
import { t } from '../ui/strings.ts';
import { UNDO_KEYS } from './undo-keys.ts';

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
      <p>{fill(isDeletion ? 'deleted' : 'removed', <ForeignText text={link.title || link.shortUrl} />)}</p>
      <button type="button" class="button" aria-keyshortcuts={UNDO_KEYS.aria} onClick={undo}>
        {t('undo')}
        <span class="keys" aria-hidden="true">
          {UNDO_KEYS.shown}
        </span>
      </button>
    </fieldset>
  );
}
