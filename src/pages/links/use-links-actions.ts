import { readableUrl } from '@terse/contract/readable-host';
import { useMemo } from 'preact/hooks';
import browser from '../../browser/browser.ts';
import { saveFile } from '../../browser/clipboard-and-download.ts';
import { allowHostAndResume, type ErrorToastHandle } from '../../components/error-toast.tsx';
import { connectionNames, displayText } from '../../format/display-text.ts';
import { joinSentences, t } from '../../format/i18n.ts';
import { notShortenableMessage, serviceProblemMessage as problemSentence } from '../../format/status-text.ts';
import { linksToCsv } from '../../import-export/csv-markdown-html-export.ts';
import { connectionOfLink, editLink, readClicks } from '../../link-sync/ask-server.ts';
import type { useServiceSync } from '../../link-sync/use-service-sync.ts';
import { openTab } from '../../messages/open-page-with-data.ts';
import type { Connection, Link } from '../../queue/types.ts';
import { type LinkChanges, type ServiceFailure, serviceFailure } from '../../servers/adapter.ts';
import { ownShortUrls } from '../../servers/own-short-urls.ts';
import { isWebUrl, type NotShortenable, typedTarget } from '../../urls/shortenable-url-rules.ts';
import type { useDeleteWithUndo } from './delete-with-undo.tsx';

type History = Pick<ReturnType<typeof useServiceSync>, 'read'>;
type Removal = Pick<ReturnType<typeof useDeleteWithUndo>, 'remove' | 'undo' | 'hold'>;

/** Returns the actions of the links page. */
export function useLinksActions(
  { change, show }: ErrorToastHandle,
  { remove, undo, hold }: Removal,
  { read }: History,
  connections: Connection[],
) {
  return useMemo(() => {
    const names = connectionNames(connections);
    const nameOf = ({ connectionId }: Link) => names.get(connectionId ?? '') ?? '';
    return {
      /** Hides links. After the undo period, deletes the links from the history and from their servers. */
      remove,
      undo,
      /** Stops or restarts the undo timer. */
      hold,
      /** Changes a link on its server. Resolves to null, or to an error message if the change fails. */
      edit: async (link: Link, changes: LinkChanges) => {
        const connection = connectionOfLink(link, connections);
        const clean = cleanChanges(changes, connections);
        if ('blocked' in clean) return notShortenableMessage(clean.blocked);
        const refused = connection ? await editLink(connection, link, clean) : NOT_THERE;
        // The link was deleted elsewhere, so the list is outdated.
        if (connection && refused?.problem === 'gone') void read(connection);
        return refused && editSentence(refused, nameOf(link));
      },
      /** Requests a link's clicks. Resolves to an error message if the request fails. */
      readClicks: async (link: Link) => {
        const connection = connectionOfLink(link, connections);
        const clicks = connection ? await readClicks(connection, link) : NOT_THERE;
        return 'problem' in clicks ? problemSentence(clicks.problem, nameOf(link), 'read') : clicks;
      },
      /** Reads the list of links from a connection's server again. */
      readAgain: (connection: Connection): void => void read(connection),
      allowAccess: async (connection: Connection) => {
        if (await allowHostAndResume(connection, { change, show })) await read(connection);
      },
      /** Shows a toast with an error message about a link. */
      tell: (problem: string, { shortUrl }: Link): void => show({ text: problem, url: readableUrl(shortUrl) }),
      dismiss: (): void => show(null),
      open: ({ shortUrl }: Link): void => {
        if (isWebUrl(shortUrl)) void openTab(shortUrl);
      },
      openOptions: (): void => void browser.runtime.openOptionsPage(),
      exportCsv: (links: Link[]): void =>
        saveFile(new Blob([linksToCsv(links)], { type: 'text/csv' }), 'terse-links.csv'),
    };
  }, [remove, undo, hold, change, show, read, connections]);
}

const NOT_THERE = serviceFailure('no_connection');

/**
 * Returns the message for a change that failed. If the server refused it for an unknown reason, the server's own
 * message is added.
 */
function editSentence({ problem, code, message }: ServiceFailure, name: string): string {
  if (code === 'invalid_url') return t('problem_invalid_url');
  if (code === 'target_refused') return t('problem_target_refused');
  if (code === 'invalid_expiry') return t('expiryPast');
  return joinSentences(problemSentence(problem, name, 'manage'), problem === 'refused' ? displayText(message) : '');
}

export type LinksActions = ReturnType<typeof useLinksActions>;

/**
 * Cleans up a changed URL, or returns the reason why the URL cannot be shortened. Servers report every invalid URL
 * with the same error code, so the reason is determined here.
 */
export function cleanChanges(
  changes: LinkChanges,
  connections: Connection[],
): LinkChanges | { blocked: NotShortenable } {
  if (changes.url === undefined) return changes;
  const target = typedTarget(changes.url, ownShortUrls(connections));
  return 'blocked' in target ? target : { ...changes, url: target.url };
}
