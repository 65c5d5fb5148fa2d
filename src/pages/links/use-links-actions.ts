import { useMemo } from 'preact/hooks';
import browser from '../../browser/browser.ts';
import { saveFile } from '../../browser/clipboard-and-download.ts';
import { allowHostAndResume } from '../../browser/host-permissions.ts';
import type { ErrorToastHandle } from '../../components/error-toast.tsx';
import { connectionNames, displayText } from '../../format/display-text.ts';
import { joinSentences, t } from '../../format/i18n.ts';
import { notShortenableMessage, serviceProblemMessage as problemSentence } from '../../format/status-text.ts';
import { linksToCsv } from '../../import-export/csv-markdown-html-export.ts';
import {
  connectionOfLink,
  editLink,
  type LinkChanges,
  type ServiceRefusal,
} from '../../link-sync/edit-and-delete-link.ts';
import type { useServiceSync } from '../../link-sync/use-service-sync.ts';
import { openPrivately, openTab, pageAddress } from '../../messages/open-page.ts';
import type { Connection, Link } from '../../queue/types.ts';
import { type Clicks, readClicks } from '../../services/terse/links-api.ts';
import { isWebUrl } from '../../urls/shortenable-url.ts';
import type { useDeleteWithUndo } from './delete-with-undo.tsx';
import { cleanChanges } from './edit-link-dialog.tsx';

type History = Pick<ReturnType<typeof useServiceSync>, 'read'>;
type Removal = Pick<ReturnType<typeof useDeleteWithUndo>, 'remove' | 'undo' | 'hold'>;

/** What the links page can do, over the browser and the background. */
export function useLinksActions(
  { change, show }: ErrorToastHandle,
  { remove, undo, hold }: Removal,
  { read }: History,
  connections: Connection[],
  isPrivate: boolean,
): LinksActions {
  return useMemo(() => {
    const names = connectionNames(connections);
    const nameOf = ({ connectionId }: Link) => names.get(connectionId ?? '') ?? '';
    return {
      remove,
      undo,
      hold,
      edit: async (link, changes) => {
        const connection = connectionOfLink(link, connections);
        const clean = cleanChanges(changes, connections);
        if ('blocked' in clean) return notShortenableMessage(clean.blocked);
        const refused = connection ? await editLink(connection, link, clean) : NOT_THERE;
        // Somebody else has deleted it: what is shown is out of date.
        if (connection && refused?.problem === 'gone') void read(connection);
        return refused && editSentence(refused, nameOf(link));
      },
      readClicks: async (link) => {
        const connection = connectionOfLink(link, connections);
        const clicks = connection ? await readClicks(connection, link) : NOT_THERE;
        return 'problem' in clicks ? problemSentence(clicks.problem, nameOf(link), 'read') : clicks;
      },
      readAgain: (connection) => void read(connection),
      allowAccess: async (connection) => {
        if (await allowHostAndResume(connection, { change, show })) await read(connection);
      },
      clear: () => void change({ type: 'clear-links' }),
      tell: (problem, { shortUrl }) => show({ text: problem, url: shortUrl }),
      dismiss: () => show(null),
      open: ({ shortUrl, private: isHidden }) => {
        if (!isWebUrl(shortUrl)) return;
        if (!isHidden || browser.extension.inIncognitoContext) return void openTab(shortUrl);
        void openPrivately(shortUrl).then(
          () => show(null),
          () => show({ text: t('refusal_internal'), url: shortUrl }),
        );
      },
      openOptions: () => void browser.runtime.openOptionsPage(),
      openMany: () => void openTab(pageAddress('bulk', isPrivate)),
      openQueue: () => void openTab(pageAddress('queue', isPrivate)),
      exportCsv: (links) => saveFile(new Blob([linksToCsv(links)], { type: 'text/csv' }), 'terse-links.csv'),
    };
  }, [remove, undo, hold, change, show, read, connections, isPrivate]);
}

const NOT_THERE: ServiceRefusal = { problem: 'no_connection', code: '', message: '' };

/** Sentences for what a service says of a change; for another refusal its own words. */
function editSentence({ problem, code, message }: ServiceRefusal, name: string): string {
  if (code === 'invalid_url') return t('problem_invalid_url');
  if (code === 'target_refused') return t('problem_target_refused');
  if (code === 'invalid_expiry') return t('expiryPast');
  return joinSentences(problemSentence(problem, name, 'manage'), problem === 'refused' ? displayText(message) : '');
}

/** What the links page can do; the wiring says how. */
export interface LinksActions {
  /** Hides the link, and deletes it, or takes it out of the history, once the chance to undo has gone by. */
  remove: (link: Link) => void;
  undo: () => void;
  /** Stops the time in which a removal can be undone, and starts it anew. */
  hold: (on: boolean) => void;
  clear: () => void;
  /** Changes a link at its service. Null: it is done; else why not, for people. */
  edit: (link: Link, changes: LinkChanges) => Promise<string | null>;
  /** When a link was clicked; a text: why the service did not say, for people. */
  readClicks: (link: Link) => Promise<Clicks | string>;
  /** Reads the list of a connection's service once more. */
  readAgain: (connection: Connection) => void;
  allowAccess: (connection: Connection) => void;
  /** Says over the page what went wrong, and with which link. */
  tell: (problem: string, link: Link) => void;
  /** Puts away the sentence that says what went wrong. */
  dismiss: () => void;
  /** Opens its short URL: that of a private link in a private window, or not at all. */
  open: (link: Link) => void;
  openOptions: () => void;
  openMany: () => void;
  openQueue: () => void;
  exportCsv: (links: Link[]) => void;
}
