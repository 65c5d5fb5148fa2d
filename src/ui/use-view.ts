import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { readView } from '../messages/read-view.ts';
import { watchView } from '../storage/changes.ts';
import type { View } from '../storage/view.ts';

/** The view, read again on every change; `refresh` reads it now and answers when the page has it. */
export function useView(isPrivate: boolean, first: View, links?: number): { view: View; refresh: () => Promise<View> } {
  const [view, setView] = useState(first);
  const latest = useRef(0);
  const refresh = useCallback(async () => {
    latest.current += 1;
    const read = latest.current;
    const fresh = await readView(isPrivate, links);
    // A read that was overtaken by a later one is old news.
    if (read === latest.current) setView(fresh);
    return fresh;
  }, [isPrivate, links]);
  useEffect(() => watchView(() => void refresh()), [refresh]);
  return { view, refresh };
}
