import { useEffect, useRef, useState } from 'preact/hooks';
import { readLinks } from '../messages/read.ts';
import type { Link } from '../queue/types.ts';
import { watchLinks } from '../storage/changes.ts';

/** The links that these addresses have already, on any connection. Each address is looked up once, until links change. */
export function useKnownLinks(isPrivate: boolean, urls: string[]): Link[] {
  const [links, setLinks] = useState<Link[]>([]);
  const [revision, setRevision] = useState(0);
  const lookedUp = useRef(new Set<string>());
  useEffect(
    () =>
      watchLinks(() => {
        lookedUp.current = new Set();
        setRevision((count) => count + 1);
      }),
    [],
  );
  useEffect(() => {
    const seen = lookedUp.current;
    const unknown = urls.filter((url) => !seen.has(url));
    if (unknown.length === 0) return;
    for (const url of unknown) seen.add(url);
    // Where it cannot be read, nothing is folded here: the background folds what it accepts all the same.
    readLinks(isPrivate, { latest: 0, urls: unknown })
      .then((found) => setLinks((before) => merged(before, found)))
      .catch(() => undefined);
  }, [isPrivate, urls, revision]);
  return links;
}

function merged(before: Link[], found: Link[]): Link[] {
  if (found.length === 0) return before;
  return [...new Map([...before, ...found].map((link) => [link.id, link])).values()];
}
