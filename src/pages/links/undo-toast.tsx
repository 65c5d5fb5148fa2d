import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useReturnFocus } from '../../components/focus.ts';
import { Icon } from '../../components/icons.tsx';
import { joinSentences, plural, t } from '../../format/i18n.ts';
import { connectionOfLink } from '../../link-sync/ask-server.ts';
import type { Deletion } from './deletion.ts';
import type { LinksStore } from './links-store.ts';

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

/** Handles the undo shortcut on the whole page. */
export function useUndoKeys(undo: () => void): void {
  // The listener is added before the first paint, so that no key press is missed.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isUndo(event)) return;
      // Prevents the browser from undoing the last change of the search text. The browser would do this even if the
      // search field is not focused.
      event.preventDefault();
      undo();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

interface UndoToastProps {
  deletion: Deletion;
  store: LinksStore;
  heading: RefObject<HTMLElement | null>;
}

/**
 * Message after a deletion, with an Undo button. The message stays open while the user points at it or has moved the
 * focus to it. If the selection bar disappeared, the Undo button gets the focus.
 */
export function UndoToast({ deletion, store, heading }: UndoToastProps) {
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const toast = useRef<HTMLFieldSetElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useReturnFocus(toast, heading);
  useLayoutEffect(() => {
    if (deletion.isFromBar) button.current?.focus();
  }, []);
  useEffect(() => store.deletion.hold(isPointed || isFocused), [isPointed, isFocused]);

  return (
    <fieldset
      ref={toast}
      class="toast"
      onMouseEnter={() => setPointed(true)}
      onMouseLeave={() => setPointed(false)}
      // Without `relatedTarget`, the user did not move the focus here. It came with the toast or with the window.
      onFocusIn={({ relatedTarget }) => setFocused(relatedTarget !== null)}
      onFocusOut={() => setFocused(false)}
    >
      <p>{deletionMessage(deletion)}</p>
      <button ref={button} type="button" class="button" aria-keyshortcuts={UNDO_KEYS.aria} onClick={store.undo}>
        <Icon name="undo" />
        {t('undo')}
      </button>
    </fieldset>
  );
}

/** Returns a message about the deleted links and about the effect on their short URLs. */
export function deletionMessage({ links, connections }: Deletion): string {
  const onServer = links.filter((link) => connectionOfLink(link, connections)).length;
  if (onServer === 0) return joinSentences(plural('linksRemoved', links.length), plural('removeText', links.length));
  const text = onServer === links.length ? plural('deleteText', onServer) : t('deleteSomeText');
  return joinSentences(plural('linksDeleted', links.length), text);
}
