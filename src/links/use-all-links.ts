import type { Link } from '../queue/types.ts';
import { useLinks } from '../ui/use-stored.ts';

/** How many links the page shows at once, before it has read the older ones. */
export const FIRST_LINKS = 60;

/** Every link, newest first: those given first, all of them once the page stands. */
export function useAllLinks(isPrivate: boolean, first: Link[]) {
  const { value, isRead, refresh } = useLinks(isPrivate, () => ({}), first);
  return { links: value, complete: isRead || first.length < FIRST_LINKS, refresh };
}
