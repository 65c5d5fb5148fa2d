import { useCallback, useRef } from 'preact/hooks';
import { deleteLink } from '../history/edit-link.ts';
import { problemSentence } from '../history/problem-sentence.ts';
import { serviceOf } from '../history/service-of.ts';
import type { Connection, Link } from '../queue/types.ts';
import { connectionNames } from '../ui/connections.ts';
import { sentences, t } from '../ui/strings.ts';
import type { useFlash } from '../ui/use-flash.ts';

type Flash = Pick<ReturnType<typeof useFlash>, 'change' | 'show'>;

/**
 * What a removal comes to once it can be undone no more: the link is deleted at its service, or taken off the list where no
 * service lists it. Whether it is gone is answered; what stood in the way is shown.
 */
export function useCommit({ change, show }: Flash, connections: Connection[]) {
  // A new function would start the time of the undo anew.
  const latest = useRef(connections);
  latest.current = connections;
  return useCallback(
    async (link: Link): Promise<boolean> => {
      const connection = serviceOf(link, latest.current);
      if (!connection) return change({ type: 'remove-link', id: link.id });
      const problem = await deleteLink(connection, link);
      const name = connectionNames(latest.current).get(connection.id) ?? '';
      show(problem && { text: sentences(t('serviceUnchanged'), problemSentence(problem, name, 'manage')) });
      return problem === null;
    },
    [change, show],
  );
}
