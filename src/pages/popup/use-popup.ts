import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useClipboard } from '../../components/copy-button.tsx';
import { useErrorToast } from '../../components/error-toast.tsx';
import { useNow } from '../../components/hooks/use-now.ts';
import { useOnline } from '../../components/hooks/use-online.ts';
import { useSettings } from '../../components/hooks/use-settings-and-theme.ts';
import { handedOrder, type ShortenProgress, useShorten } from '../../components/hooks/use-shorten.ts';
import { useLinks, useQueues } from '../../components/hooks/use-stored-data.ts';
import { popupTarget } from '../../messages/open-page-with-data.ts';
import { type ListedRequest, listRequests, type QuotaLeft, quotaLeft } from '../../queue/status/request-status.ts';
import type { Link, VisibleQueues } from '../../queue/types.ts';
import { ownShortUrls } from '../../servers/own-short-urls.ts';
import type { Settings } from '../../storage/settings.ts';
import { linkQuery, popupStateOf } from './popup-state.ts';
import { currentTarget, isForPopup, isWindow, type Opening } from './read-current-tab.ts';
import { useAutoCopy } from './use-auto-copy.ts';

export interface PopupStart extends Opening {
  settings: Settings;
  queues: VisibleQueues;
  links: Link[];
}

/** State of the popup, and the functions that change this state. */
export type PopupModel = ReturnType<typeof usePopup>;

/** Holds the state of the popup. `use-popup-actions.ts` changes it. */
export function usePopup({ tab, handed, ...first }: PopupStart) {
  const { settings } = useSettings(first.settings);
  const online = useOnline();
  const reading = useRef<ShortenProgress | null>(null);
  const queuesStored = useQueues(first.queues);
  const linksStored = useLinks(() => linkQuery(tab, reading.current, settings), first.links);
  const refresh = useCallback(
    (order: ShortenProgress | null = reading.current) =>
      Promise.all([queuesStored.refresh(), linksStored.refresh(linkQuery(tab, order, settings))]),
    [queuesStored.refresh, linksStored.refresh, tab, settings],
  );
  const defaultId = queuesStored.value.queues[0]?.connection.id ?? null;
  const orders = useShorten(handed && handedOrder(handed, defaultId), tab.private, refresh);
  const { asking, place, askAgain, show } = orders;
  const { flash, show: showFlash, change, copy } = useErrorToast(refresh);
  const clipboard = useClipboard(copy);

  const queues = queuesStored.value;
  const links = linksStored.value;
  const [chosenId, choose] = useState<string | null>(null);
  const chosen = queues.queues.find(({ connection }) => connection.id === chosenId) ?? queues.queues[0] ?? null;

  const moments = useRef<number[]>([]);
  const now = useNow(() => moments.current);
  const requests = useMemo(() => listRequests(queues, now, online), [queues, now, online]);
  // True if the request is already stored, even if the background worker has not replied yet.
  const isStored = asking !== null && [...requests.map(({ request }) => request), ...links].some(hasId(asking.id));
  const order = isStored ? asking : orders.order;
  reading.current = order;
  const quota = chosen && quotaLeft(chosen, now);
  moments.current = momentsShown(requests, quota);

  const isOwn = ownShortUrls(queues.queues.map(({ connection }) => connection));
  const target = currentTarget(tab, order, isOwn, settings);
  const connection = chosen?.connection ?? null;
  const state = popupStateOf({ tab, target, order, requests, links, connection, now });

  const { autoCopy, shortenOnOpen, ...formDefaults } = settings;
  const all = requests.map(({ request }) => request);
  useAutoCopy({ enabled: autoCopy, copiesEarlier: shortenOnOpen, state, order, requests: all, links, clipboard });
  useEffect(() => {
    // A separate window shows only the command for which it was opened.
    if (isWindow()) return undefined;
    const take = async () => {
      const next = await popupTarget.take((target) => isForPopup(target, tab)).catch(() => null);
      if (!next) return;
      const asked = handedOrder(next, defaultId);
      await refresh(asked).catch(() => undefined);
      show(asked);
    };
    const stop = popupTarget.watch(take);
    // Handles a command that arrived before the popup started to watch for commands.
    void take();
    return stop;
  }, [refresh, show, defaultId, tab]);

  const shown = {
    tab,
    target,
    order,
    /** URL of a command that has not been accepted yet. */
    asking: isStored ? null : (asking?.url ?? null),
    state,
    chosen,
    requests,
    quota,
    links,
    now,
    autoCopy,
    formDefaults,
    flash,
    clipboard,
  };
  return {
    ...shown,
    queues: queues.queues,
    /** Functions that change the state, for `usePopupActions`. */
    commands: { place, askAgain, show, showFlash, change, choose },
  };
}

function hasId(wanted: string) {
  return ({ id }: { id: string }) => id === wanted;
}

/** Returns all times that the popup shows. */
function momentsShown(requests: ListedRequest[], quota: QuotaLeft | null): number[] {
  const waits = requests.map(({ status }) => ('at' in status ? status.at : null));
  return [...waits, quota?.moreAt ?? null].filter((at) => at !== null);
}
