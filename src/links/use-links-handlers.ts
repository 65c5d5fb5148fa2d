import { useMemo } from 'preact/hooks';
import { editLink, type ServiceRefusal } from '../history/edit-link.ts';
import { problemSentence } from '../history/problem-sentence.ts';
import { readClicks } from '../history/read-clicks.ts';
import { serviceOf } from '../history/service-of.ts';
import type { useHistory } from '../history/use-history.ts';
import { pageAddress } from '../messages/private-page.ts';
import browser from '../platform/browser.ts';
import { shownText } from '../platform/text.ts';
import type { Connection, Link } from '../queue/types.ts';
import { isWebAddress } from '../target/target.ts';
import { allowAccess } from '../ui/access.ts';
import { connectionNames } from '../ui/connections.ts';
import { linksToCsv } from '../ui/csv.ts';
import { openPrivately, openTab } from '../ui/open-tab.ts';
import { save } from '../ui/save.ts';
import { refusalSentence } from '../ui/sentences.ts';
import { sentences, t } from '../ui/strings.ts';
import type { Flash } from '../ui/use-flash.ts';
import { cleanChanges } from './clean-changes.ts';
import type { LinksHandlers } from './handlers.ts';
import type { useRemoval } from './use-removal.ts';

type History = Pick<ReturnType<typeof useHistory>, 'read'>;
type Removal = Pick<ReturnType<typeof useRemoval>, 'remove' | 'undo' | 'hold'>;

/** What the links page can do, over the browser and the background. */
export function useLinksHandlers(
  { change, show }: Flash,
  { remove, undo, hold }: Removal,
  { read }: History,
  connections: Connection[],
  isPrivate: boolean,
): LinksHandlers {
  return useMemo(() => {
    const names = connectionNames(connections);
    const nameOf = ({ connectionId }: Link) => names.get(connectionId ?? '') ?? '';
    return {
      remove,
      undo,
      hold,
      edit: async (link, changes) => {
        const connection = serviceOf(link, connections);
        const clean = cleanChanges(changes, connections);
        if ('blocked' in clean) return refusalSentence(clean.blocked);
        const refused = connection ? await editLink(connection, link, clean) : NOT_THERE;
        // Somebody else has deleted it: what is shown is out of date.
        if (connection && refused?.problem === 'gone') void read(connection);
        return refused && editSentence(refused, nameOf(link));
      },
      readClicks: async (link) => {
        const connection = serviceOf(link, connections);
        const clicks = connection ? await readClicks(connection, link) : NOT_THERE;
        return 'problem' in clicks ? problemSentence(clicks.problem, nameOf(link), 'read') : clicks;
      },
      readAgain: (connection) => void read(connection),
      allowAccess: async (connection) => {
        if (await allowAccess(connection, { change, show })) await read(connection);
      },
      clear: () => void change({ type: 'clear-links' }),
      tell: (problem, { shortUrl }) => show({ text: problem, url: shortUrl }),
      dismiss: () => show(null),
      open: ({ shortUrl, private: isHidden }) => {
        if (!isWebAddress(shortUrl)) return;
        if (!isHidden || browser.extension.inIncognitoContext) return void openTab(shortUrl);
        void openPrivately(shortUrl).then(
          () => show(null),
          () => show({ text: t('refusal_internal'), url: shortUrl }),
        );
      },
      openOptions: () => void browser.runtime.openOptionsPage(),
      openMany: () => void openTab(pageAddress('many', isPrivate)),
      openQueue: () => void openTab(pageAddress('queue-page', isPrivate)),
      exportCsv: (links) => save(new Blob([linksToCsv(links)], { type: 'text/csv' }), 'terse-links.csv'),
    };
  }, [remove, undo, hold, change, show, read, connections, isPrivate]);
}

const NOT_THERE: ServiceRefusal = { problem: 'no_connection', code: '', message: '' };

/** Sentences for what a service says of a change; for another refusal its own words. */
function editSentence({ problem, code, message }: ServiceRefusal, name: string): string {
  if (code === 'invalid_url') return t('problem_invalid_url');
  if (code === 'target_refused') return t('problem_target_refused');
  if (code === 'invalid_expiry') return t('expiryPast');
  return sentences(problemSentence(problem, name, 'manage'), problem === 'refused' ? shownText(message) : '');
}
