import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { useClipboard } from '../../components/copy-button.tsx';
import { useErrorToast } from '../../components/error-toast.tsx';
import { useDrop } from '../../components/hooks/use-drop-and-paste.ts';
import { useNow } from '../../components/hooks/use-now.ts';
import { useOnline } from '../../components/hooks/use-online.ts';
import { setTheme } from '../../components/hooks/use-settings-and-theme.ts';
import { readQueues, useQueues } from '../../components/hooks/use-stored-data.ts';
import { useUnsaved } from '../../components/hooks/use-unsaved.ts';
import { openPage, useAnnounced } from '../../components/page-shell.tsx';
import { t } from '../../format/i18n.ts';
import { type HandedList, handedList } from '../../messages/open-page-with-data.ts';
import { listRequests, quotaLeft } from '../../queue/status/request-status.ts';
import type { VisibleQueues } from '../../queue/types.ts';
import { isListMissing } from '../../servers/capabilities.ts';
import { ownShortUrls } from '../../servers/own-short-urls.ts';
import { readSettings, type Settings } from '../../storage/settings.ts';
import { BulkPage } from './bulk-page.tsx';
import type { ComposeProps } from './compose-list.tsx';
import { selectedEntries, urlsInQueue, useList } from './list-model.ts';
import { useGroup } from './progress-view.tsx';
import { liveLinks, useCostPreview, useKnownLinks } from './quota-preview.ts';
import { useBulkActions } from './use-bulk-actions.ts';
import { useSendList } from './use-send-list.ts';

const asked = new URLSearchParams(location.search);
/** Tabs that were selected in the tab strip before this page opened. Opening the page cleared the selection. */
const TAB_IDS = (asked.get('tabs') ?? '').split(',').filter(Boolean).map(Number);
/**
 * Id of the tab that was active when the user opened this page from the popup. The text selected in this tab may
 * contain links.
 */
const FROM = Number(asked.get('from')) || null;
const GROUP = 'group';

void openPage('manyTitle', async () => {
  const handed = await handedList.take().catch(() => null);
  const [view, settings] = await Promise.all([readQueues(), readSettings()]);
  setTheme(settings.theme);
  return <App {...{ handed, settings }} firstQueues={view} />;
});

interface AppProps {
  handed: HandedList | null;
  settings: Settings;
  firstQueues: VisibleQueues;
}

function App({ handed, settings, firstQueues }: AppProps) {
  const { value: view, refresh } = useQueues(firstQueues);
  const online = useOnline();
  const now = useNow();
  const { flash, show, change, copy } = useErrorToast(refresh);
  const clipboard = useClipboard(copy);
  const [announced, announce] = useAnnounced();
  const [chosenId, choose] = useState<string | null>(null);
  const { queues } = view;
  const chosen = queues.find(({ connection }) => connection.id === chosenId) ?? queues[0] ?? null;
  const connectionId = chosen?.connection.id ?? null;

  const services = JSON.stringify(queues.map(({ connection: { kind, service } }) => ({ kind, service })));
  const isOwn = useMemo(() => ownShortUrls(JSON.parse(services)), [services]);
  const list = useList(isOwn, settings);
  const urls = useMemo(() => list.list.entries.map(({ url }) => url), [list.list.entries]);
  const links = useKnownLinks(urls);
  const known = useMemo(() => liveLinks(links, connectionId ?? '', now), [links, connectionId, now]);
  const waiting = useMemo(() => urlsInQueue(chosen?.requests ?? []), [chosen]);
  const { list: listed, choices } = list;
  const selected = useMemo(
    () => selectedEntries({ list: listed, choices }, (url) => known.has(url) || waiting.has(url)),
    [listed, choices, known, waiting],
  );
  useUnsaved(selected.length > 0 || list.hasText);

  const selectionTabId = handed?.tabId ?? FROM;
  const [groupId, setGroupId] = useState(asked.get(GROUP));
  const showGroup = useCallback((id: string | null) => {
    setGroupId(id);
    // Stores the list's id in the page's URL, so that reloading or reopening the page shows the list again.
    const shown = new URLSearchParams({ ...(id !== null && { [GROUP]: id }) });
    history.replaceState(null, '', `?${shown}`);
  }, []);
  const group = useGroup(groupId);
  const { sending, send } = useSendList({ list, chosen: selected, connectionId, show, accepted: showGroup });
  const handlers = useBulkActions({
    add: list.add,
    send,
    showList: useCallback(() => showGroup(null), [showGroup]),
    choose,
    show,
    announce,
    change,
    copy: clipboard.copy,
    tabIds: TAB_IDS,
    selectionTabId,
  });
  const isDropTarget = useDrop(handlers.addTransfer);
  useEffect(() => {
    if (handed?.text) handlers.addText(handed.text);
    if (handed?.isTooLong) show({ text: t('manyTextTooLong') });
  }, []);

  const requests = useMemo(() => listRequests(view, now, online), [view, now, online]);
  // No preview is needed while the list is being sent or afterwards.
  const isPlanned = groupId === null && !sending;
  const plan = useCostPreview(isPlanned ? chosen : null, selected, known, settings.expiry, now, online);
  const compose: ComposeProps | null = chosen
    ? {
        entries: list.list.entries,
        invalid: list.list.invalid,
        chosen: selected,
        known,
        isListMissing: isListMissing(chosen.connection),
        waiting,
        plan,
        quota: quotaLeft(chosen, now),
        now,
        sending,
        selectedTabs: TAB_IDS.length,
        hasSelection: selectionTabId !== null,
        text: list.text,
        setText: list.setText,
        choose: list.choose,
        clear: list.clear,
        removeInvalid: list.removeInvalid,
        handlers,
      }
    : null;
  const shownGroup = group ? { view: group, queues, requests, now, hasRest: list.hasRest, clipboard, handlers } : null;
  return (
    <BulkPage
      {...{ view, chosen, isDropTarget, flash, announced, compose, handlers }}
      group={groupId === null ? null : group === undefined ? 'loading' : (shownGroup ?? 'unknown')}
    />
  );
}
