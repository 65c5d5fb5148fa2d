import { useCallback, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { Link } from '../../queue/types.ts';

/** Holds the user's selection of links. If a link leaves the list and returns, it is no longer selected. */
export function useSelection(links: Link[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const select = useCallback(
    (changed: string[], isSelected: boolean) =>
      setIds((before) => {
        const next = new Set(before);
        for (const id of changed) isSelected ? next.add(id) : next.delete(id);
        return next;
      }),
    [],
  );
  const clear = useCallback(() => setIds(new Set()), []);
  const selectedLinks = useMemo(() => (ids.size === 0 ? [] : links.filter(({ id }) => ids.has(id))), [links, ids]);
  const selected = useMemo(() => new Set(selectedLinks.map(({ id }) => id)), [selectedLinks]);
  useLayoutEffect(() => {
    if (selected.size < ids.size) setIds(selected);
  }, [selected, ids]);
  return { selectedLinks, selected, select, clear };
}
