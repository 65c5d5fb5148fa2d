import { useMemo } from 'preact/hooks';
import browser from '../../browser/browser.ts';
import { readSelectedLinks, requestScriptingPermission } from '../../browser/read-page.ts';
import type { FlashMessage } from '../../components/error-toast.tsx';
import { plural, t } from '../../format/i18n.ts';
import { formatLinks, type LinkFormat } from '../../import-export/csv-markdown-html-export.ts';
import { openTab, pageAddress } from '../../messages/open-page.ts';
import type { Message } from '../../messages/protocol.ts';
import type { Link } from '../../queue/types.ts';
import { askForTabs, giveBackTabs, readFile, readTransfer, tabsByIds, tabsOfWindow } from './collect-urls.ts';
import { type Found, type Taken, takeText } from './list-model.ts';

interface Actions {
  add: (found: Found[]) => void;
  send: () => void;
  showList: () => void;
  choose: (connectionId: string) => void;
  /** Says something over the page: what went wrong, or null. */
  show: (flash: FlashMessage | null) => void;
  /** Says something to a screen reader. */
  announce: (text: string) => void;
  change: (message: Message) => Promise<boolean>;
  copy: (text: string) => void;
  /** The tabs that were selected when the page was opened, and the one whose selection was handed over. */
  tabIds: number[];
  isPrivate: boolean;
  selectionTabId: number | null;
}

/** What the page can do, over the browser and the background. */
export function useBulkActions(actions: Actions): BulkActions {
  const { add, send, showList, choose, show, announce, change, copy, tabIds, isPrivate, selectionTabId } = actions;
  return useMemo<BulkActions>(() => {
    const say = (problem: string | null) => show(problem === null ? null : { text: problem });
    /** Adds what was found; otherwise says why nothing is added. */
    const take = (found: Taken, none: string): boolean => {
      if (typeof found === 'object') add(found);
      const problem = problemOf(found, none);
      say(problem);
      return problem === null;
    };
    const addAsked = (granted: Promise<boolean>, read: () => Promise<Found[]>, none: string, failed: string) =>
      void granted
        .then(async (isGranted) => (isGranted ? take(await read(), none) : show({ text: t('permissionDenied') })))
        .catch(() => show({ text: failed }));
    const addTabs = (read: () => Promise<Found[]>) =>
      addAsked(askForTabs(), () => read().finally(giveBackTabs), t('manyNoTabs'), t('manyNoTabs'));
    const addFiles = async (files: File[]) => {
      let problem: string | null = null;
      for (const file of files) {
        const found = await readFile(file).catch(() => 'unreadable' as const);
        if (typeof found === 'object') add(found);
        // What is wrong with one stays said, whatever comes of the others.
        problem ??= problemOf(found, t('noneFound'));
        say(problem);
      }
    };
    return {
      addText: (text) => take(takeText(text), t('noneFound')),
      addTransfer: (transfer) => {
        const { files, found } = readTransfer(transfer);
        const isAny = found === 'too_much' || found.length > 0;
        if (files.length > 0) void addFiles(files);
        else if (isAny) take(found, t('noneFound'));
        return files.length > 0 || isAny;
      },
      addFiles: (files) => void addFiles(files),
      addTabs: () => addTabs(() => tabsOfWindow(isPrivate, selectionTabId)),
      addSelectedTabs: () => addTabs(() => tabsByIds(tabIds, isPrivate)),
      addSelection: () => {
        if (selectionTabId === null) return;
        const read = () => readSelectedLinks(selectionTabId);
        addAsked(requestScriptingPermission(), read, t('manySelectionNone'), t('manySelectionGone'));
      },
      send,
      cancel: (ids) => void change({ type: 'cancel', ids }),
      retry: (id) => void change({ type: 'retry', id }),
      backToList: showList,
      copyText: copy,
      copyResult: (form, links) => {
        copy(formatLinks(form, links));
        announce(plural('resultCopied', links.length));
      },
      choose,
      dismiss: () => show(null),
      openOptions: () => void browser.runtime.openOptionsPage(),
      openQueue: () => void openTab(pageAddress('queue', isPrivate)),
      openLinks: () => void openTab(pageAddress('links', isPrivate)),
    };
  }, [add, send, showList, choose, show, announce, change, copy, tabIds, isPrivate, selectionTabId]);
}

/** Why nothing of a source is added, for people; null: it is. */
function problemOf(found: Taken | 'not_text' | 'unreadable', none: string): string | null {
  if (typeof found === 'string') return t(`importProblem_${found}`);
  return found.length === 0 ? none : null;
}

/** What the page can do; `use-many-handlers.ts` says how. Called inside the click, so that permission can be asked for. */
export interface BulkActions {
  /** Adds what stands in a text. Whether it was taken; why not, is shown. */
  addText: (text: string) => boolean;
  /** Adds what is pasted or dropped. Whether there was anything to add. */
  addTransfer: (transfer: DataTransfer) => boolean;
  addFiles: (files: File[]) => void;
  addTabs: () => void;
  addSelectedTabs: () => void;
  addSelection: () => void;
  /** Sends what is chosen of the list as one group. */
  send: () => void;
  /** Cancels requests that wait, or dismisses those that ended. */
  cancel: (ids: string[]) => void;
  /** Sends a failed or uncertain request again. */
  retry: (id: string) => void;
  /** Begins another list, or goes back to what is left of this one. */
  backToList: () => void;
  copyText: (text: string) => void;
  copyResult: (form: LinkFormat, links: Link[]) => void;
  choose: (connectionId: string) => void;
  dismiss: () => void;
  openOptions: () => void;
  openQueue: () => void;
  openLinks: () => void;
}
