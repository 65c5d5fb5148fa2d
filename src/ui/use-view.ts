import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { readView } from '../messages/read-view.ts';
import { watchView } from '../storage/changes.ts';
import type { View, Wanted } from '../storage/view.ts';

/** The view, read again on every change; `refresh` reads it now, as it is wanted by then, and answers when the page has it. */
export function useView(
  isPrivate: boolean,
  first: View,
  wanted: Wanted = {},
): { view: View; refresh: () => Promise<View> } {
  const [view, setView] = useState(first);
  const latest = useRef(0);
  const current = useRef(wanted);
  current.current = wanted;
  const refresh = useCallback(async () => {
    latest.current += 1;
    const read = latest.current;
    const fresh = await readView(isPrivate, current.current);
    // A read that was overtaken by a later one is old news.
    if (read === latest.current) setView(fresh);
    return fresh;
  }, [isPrivate]);
  // One that fails leaves the page as it is: the next change reads again.
  useEffect(() => watchView(() => void refresh().catch(() => undefined)), [refresh]);
  return { view, refresh };
}
