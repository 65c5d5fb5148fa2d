import { useCallback } from 'preact/hooks';
import { deleteLink } from '../history/edit-link.ts';
import { problemSentence } from '../history/problem-sentence.ts';
import { serviceOf } from '../history/service-of.ts';
import type { Connection, Link } from '../queue/types.ts';
import { connectionNames } from '../ui/connections.ts';
import { sentences, t } from '../ui/strings.ts';
import type { Flash } from '../ui/use-flash.ts';

/**
 * What a removal comes to once it can be undone no more: the link is deleted at the service that it had when it was removed,
 * or taken off the list where no service lists it. Whether it is gone is answered; what stood in the way is shown.
 */
export function useCommit({ change, show }: Flash, connections: Connection[]) {
  return useCallback(
    (link: Link) => async (): Promise<boolean> => {
      const connection = serviceOf(link, connections);
      if (!connection) return change({ type: 'remove-link', id: link.id });
      const problem = await deleteLink(connection, link);
      const name = connectionNames(connections).get(connection.id) ?? '';
      const text = sentences(t('serviceUnchanged'), problem ? problemSentence(problem, name, 'manage') : '');
      show(problem && { text, url: link.shortUrl });
      return problem === null;
    },
    [change, show, connections],
  );
}
