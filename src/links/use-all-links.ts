import { useEffect, useState } from 'preact/hooks';
import type { Link } from '../queue/types.ts';
import { useLinks } from '../ui/use-stored.ts';

/** How many links the page shows at once, before it has read the older ones. */
export const FIRST_LINKS = 60;

/** Every link, newest first: those given first, all of them once the page stands. */
export function useAllLinks(isPrivate: boolean, first: Link[]) {
  const [complete, setComplete] = useState(first.length < FIRST_LINKS);
  const { value, refresh } = useLinks(isPrivate, () => ({}), first);
  useEffect(() => {
    if (value !== first) setComplete(true);
  }, [value]);
  return { links: value, complete, refresh };
}
