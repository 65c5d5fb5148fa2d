import { useCallback, useMemo, useState } from 'preact/hooks';
import type { Link } from '../../queue/types.ts';

/** Holds which links the user selected. Links that are not in the list count as not selected. */
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
  return { selectedLinks, selected, select, clear };
}
