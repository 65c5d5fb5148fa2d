import { useMemo } from 'preact/hooks';
import browser from '../../browser/browser.ts';
import { saveFile } from '../../browser/clipboard-and-download.ts';
import { readSelectedLinks } from '../../browser/read-page.ts';
import type { FlashMessage } from '../../components/error-toast.tsx';
import { plural, t } from '../../format/i18n.ts';
import { formatLinks, type LinkFormat, linksToCsv } from '../../import-export/csv-markdown-html-export.ts';
import type { Message } from '../../messages/protocol.ts';
import type { Link } from '../../queue/types.ts';
import { type Found, type Taken, takeText } from './list-model.ts';
import { askForTabs, giveBackTabs, readFile, readTransfer, tabsByIds, tabsOfWindow } from './read-files-and-tabs.ts';

interface Actions {
  add: (found: Found[]) => void;
  send: () => void;
  showList: () => void;
  choose: (connectionId: string) => void;
  /** Shows a message over the page. Null removes the message. */
  show: (flash: FlashMessage | null) => void;
  /** Announces a text to screen readers. */
  announce: (text: string) => void;
  change: (message: Message) => Promise<boolean>;
  copy: (text: string) => void;
  /** Ids of the tabs that were selected when the page was opened. */
  tabIds: number[];
  /** Tab whose selected text may contain links. Null if there is no such tab. */
  selectionTabId: number | null;
}

/** Returns the actions of the page. */
export function useBulkActions(actions: Actions) {
  const { add, send, showList, choose, show, announce, change, copy, tabIds, selectionTabId } = actions;
  return useMemo(() => {
    const say = (problem: string | null) => show(problem === null ? null : { text: problem });
    /** Adds the found URLs. If there are none, or too many, shows the reason. */
    const take = (found: Taken, none: string): boolean => {
      if (typeof found === 'object') add(found);
      const problem = problemOf(found, none);
      say(problem);
      return problem === null;
    };
    const addTabs = (read: () => Promise<Found[]>) =>
      void askForTabs()
        .then(async (isGranted) => {
          if (!isGranted) return show({ text: t('permissionDenied') });
          take(await read().finally(giveBackTabs), t('manyNoTabs'));
        })
        .catch(() => show({ text: t('manyNoTabs') }));
    const addFiles = async (files: File[]) => {
      let problem: string | null = null;
      for (const file of files) {
        const found = await readFile(file).catch(() => 'unreadable' as const);
        if (typeof found === 'object') add(found);
        // Keeps showing the first problem, even if later files have none.
        problem ??= problemOf(found, t('noneFound'));
        say(problem);
      }
    };
    return {
      /** Adds the URLs in a text and returns true. If it adds nothing, shows the reason and returns false. */
      addText: (text: string) => take(takeText(text), t('noneFound')),
      /** Adds pasted or dropped data. Returns false if it contains nothing to add. */
      addTransfer: (transfer: DataTransfer) => {
        const { files, found } = readTransfer(transfer);
        const isAny = found === 'too_much' || found.length > 0;
        if (files.length > 0) void addFiles(files);
        else if (isAny) take(found, t('noneFound'));
        return files.length > 0 || isAny;
      },
      addFiles: (files: File[]): void => void addFiles(files),
      addTabs: (): void => addTabs(() => tabsOfWindow()),
      addSelectedTabs: (): void => addTabs(() => tabsByIds(tabIds)),
      addSelection: (): void => {
        if (selectionTabId === null) return;
        void readSelectedLinks(selectionTabId)
          .then((links) => take(links, t('manySelectionNone')))
          .catch(() => show({ text: t('manySelectionGone') }));
      },
      /** Sends the selected entries as one group. */
      send,
      /** Cancels pending requests. Requests that failed are removed from the list. */
      cancel: (ids: string[]): void => void change({ type: 'cancel', ids }),
      /** Retries a request that failed or whose result is unknown. */
      retry: (id: string): void => void change({ type: 'retry', id }),
      /** Shows the form again, with the URLs that were not sent. If all URLs were sent, the form is empty. */
      backToList: showList,
      copyText: copy,
      copyResult: (form: LinkFormat, links: Link[]): void => {
        copy(formatLinks(form, links));
        announce(plural('resultCopied', links.length));
      },
      exportCsv: (links: Link[]): void =>
        saveFile(new Blob([linksToCsv(links)], { type: 'text/csv' }), 'terse-links.csv'),
      choose,
      dismiss: (): void => show(null),
      openOptions: (): void => void browser.runtime.openOptionsPage(),
    };
  }, [add, send, showList, choose, show, announce, change, copy, tabIds, selectionTabId]);
}

/** Returns an error message if no URLs were added to the list, otherwise null. */
function problemOf(found: Taken | 'not_text' | 'unreadable', none: string): string | null {
  if (typeof found === 'string') return t(`importProblem_${found}`);
  return found.length === 0 ? none : null;
}

/** Actions of the page. They must be called in the click handler, because `addTabs` requests a permission. */
export type BulkActions = ReturnType<typeof useBulkActions>;
