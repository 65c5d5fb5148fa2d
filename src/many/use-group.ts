import { useEffect, useRef, useState } from 'preact/hooks';
import { readGroup } from '../messages/read.ts';
import { watchLinks } from '../storage/changes.ts';
import type { GroupView } from '../storage/groups.ts';

/** A group and its links, read again on every change of links; undefined until it is read, null: it is not known. */
export function useGroup(isPrivate: boolean, id: string | null): GroupView | null | undefined {
  const [view, setView] = useState<GroupView | null | undefined>(undefined);
  const latest = useRef(0);
  useEffect(() => {
    setView(undefined);
    if (id === null) return;
    const read = () => {
      latest.current += 1;
      const reading = latest.current;
      // A read that fails leaves the page as it is: the next change reads again.
      readGroup(isPrivate, id)
        .then((found) => reading === latest.current && setView(found))
        .catch(() => undefined);
    };
    read();
    return watchLinks(read);
  }, [isPrivate, id]);
  return view;
}
