import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ErrorToastHandle } from '../../components/error-toast.tsx';
import { useUnsaved } from '../../components/hooks/use-unsaved.ts';
import { Icon } from '../../components/icons.tsx';
import { connectionNames } from '../../format/display-text.ts';
import { joinSentences, plural, t } from '../../format/i18n.ts';
import { serviceProblemMessage as problemSentence } from '../../format/status-text.ts';
import { connectionOfLink, deleteLink } from '../../link-sync/edit-and-delete-link.ts';
import type { Connection, Link } from '../../queue/types.ts';

/** Time in which a removal can be undone, in milliseconds. */
const UNDO_TIME = 8000;

/**
 * Removes links with a chance to undo. Links are only hidden at first. They are removed when their time is up, when
 * other links are removed, or when the user leaves the page.
 *
 * @param prepare returns the function that removes the links for good and resolves to those that it could not remove
 */
export function useDeleteWithUndo(prepare: (links: Link[]) => () => Promise<Link[]>) {
  // The ids of removed links may stay, since ids are never reused. They also hide the links from reads that started
  // before.
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [removed, setRemoved] = useState<Link[]>([]);
  const [held, setHeld] = useState(false);
  /** True while links are being removed for good. */
  const [isRemoving, setRemoving] = useState(false);
  const pending = useRef<{ links: Link[]; commit: () => Promise<Link[]> } | null>(null);

  const show = useCallback((links: Link[]) => {
    const ids = new Set(links.map(({ id }) => id));
    setHidden((before) => new Set([...before].filter((id) => !ids.has(id))));
  }, []);

  const settle = useCallback(async () => {
    const removal = pending.current;
    pending.current = null;
    setRemoved([]);
    if (!removal) return;
    setRemoving(removal.links.length > 1);
    show(await removal.commit());
    setRemoving(false);
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

  // Links of several are deleted one after the other, so the browser asks before the page is closed in between.
  useUnsaved(isRemoving || removed.length > 1);

  /** `hold` pauses the time while the pointer or the focus is on the Undo button. */
  return { hidden, removed, remove, undo, hold: setHeld };
}

/**
 * Returns a function that removes links for good: from the history if no server lists them, otherwise on their servers,
 * one after the other. It stops at the first error, which it shows, and resolves to the links that are left.
 */
export function useCommit({ change, show }: ErrorToastHandle, connections: Connection[]) {
  return useCallback(
    (links: Link[]) => async (): Promise<Link[]> => {
      const local = links.filter((link) => !connectionOfLink(link, connections));
      if (local.length > 0 && !(await change({ type: 'remove-links', ids: local.map(({ id }) => id) }))) return links;
      const listed = links.filter((link) => connectionOfLink(link, connections));
      for (const [index, link] of listed.entries()) {
        const connection = connectionOfLink(link, connections);
        const problem = connection && (await deletePatiently(connection, link));
        const name = connectionNames(connections).get(connection?.id ?? '') ?? '';
        const text = joinSentences(t('serviceUnchanged'), problem ? problemSentence(problem, name, 'manage') : '');
        show(problem && { text, url: link.shortUrl });
        if (problem) return listed.slice(index);
      }
      return [];
    },
    [change, show, connections],
  );
}

/** Maximum number of retries of a deletion that the server refused because of its limits. */
const MAX_THROTTLED = 20;

/** Time between them, in milliseconds. */
const THROTTLED_WAIT = 1_000;

async function deletePatiently(connection: Connection, link: Link): ReturnType<typeof deleteLink> {
  for (let attempt = 1; ; attempt += 1) {
    const problem = await deleteLink(connection, link);
    if (problem !== 'throttled' || attempt > MAX_THROTTLED) return problem;
    await new Promise((resolve) => setTimeout(resolve, THROTTLED_WAIT));
  }
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
  links: Link[];
  connections: Connection[];
  undo: () => void;
  /** Pauses the time in which the removal can be undone, or starts it again. */
  hold: (on: boolean) => void;
}

/**
 * Message after a removal, with an Undo button. It stays while the pointer or the focus is on it. After the removal of
 * several links it has the focus, because the bar that had it is gone.
 */
export function RemovedToast({ links, connections, undo, hold }: RemovedToastProps) {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    hold(pointed || focused);
    return () => hold(false);
  }, [hold, pointed, focused]);
  useLayoutEffect(() => {
    if (links.length > 1) button.current?.focus();
  }, []);

  return (
    <fieldset
      class="toast"
      onMouseEnter={() => setPointed(true)}
      onMouseLeave={() => setPointed(false)}
      onFocusIn={() => setFocused(true)}
      onFocusOut={() => setFocused(false)}
    >
      <p>{removalMessage(links, connections)}</p>
      <button ref={button} type="button" class="button" aria-keyshortcuts={UNDO_KEYS.aria} onClick={undo}>
        <Icon name="undo" />
        {t('undo')}
      </button>
    </fieldset>
  );
}

/** Returns what was removed, and what that means for the short URLs. */
export function removalMessage(links: Link[], connections: Connection[]): string {
  const onServer = links.filter((link) => connectionOfLink(link, connections)).length;
  if (onServer === 0) return joinSentences(plural('linksRemoved', links.length), plural('removeText', links.length));
  const text = onServer === links.length ? plural('deleteText', onServer) : t('deleteSomeText');
  return joinSentences(plural('linksDeleted', links.length), text);
}
