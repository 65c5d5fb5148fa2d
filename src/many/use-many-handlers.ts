import { useMemo } from 'preact/hooks';
import type { Message } from '../messages/messages.ts';
import { pageAddress } from '../messages/private-page.ts';
import browser from '../platform/browser.ts';
import { openTab } from '../ui/open-tab.ts';
import { plural, t } from '../ui/strings.ts';
import type { FlashMessage } from '../ui/use-flash.ts';
import { type Taken, takeText } from './bounds.ts';
import type { Found } from './entries.ts';
import type { ManyHandlers } from './handlers.ts';
import { readFile } from './read-file.ts';
import { resultAs } from './result.ts';
import { askForScripting, linksOfSelection } from './selection.ts';
import { askForTabs, giveBackTabs, tabsByIds, tabsOfWindow } from './tabs.ts';
import { readTransfer } from './transfer.ts';

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
export function useManyHandlers(actions: Actions): ManyHandlers {
  const { add, send, showList, choose, show, announce, change, copy, tabIds, isPrivate, selectionTabId } = actions;
  return useMemo<ManyHandlers>(() => {
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
        const read = () => linksOfSelection(selectionTabId);
        addAsked(askForScripting(), read, t('manySelectionNone'), t('manySelectionGone'));
      },
      send,
      cancel: (ids) => void change({ type: 'cancel', ids }),
      retry: (id) => void change({ type: 'retry', id }),
      backToList: showList,
      copyText: copy,
      copyResult: (form, links) => {
        copy(resultAs(form, links));
        announce(plural('resultCopied', links.length));
      },
      choose,
      dismiss: () => show(null),
      openOptions: () => void browser.runtime.openOptionsPage(),
      openQueue: () => void openTab(pageAddress('queue-page', isPrivate)),
      openLinks: () => void openTab(pageAddress('links', isPrivate)),
    };
  }, [add, send, showList, choose, show, announce, change, copy, tabIds, isPrivate, selectionTabId]);
}

/** Why nothing of a source is added, for people; null: it is. */
function problemOf(found: Taken | 'not_text' | 'unreadable', none: string): string | null {
  if (typeof found === 'string') return t(`importProblem_${found}`);
  return found.length === 0 ? none : null;
}
