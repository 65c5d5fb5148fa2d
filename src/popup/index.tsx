import { useEffect, useMemo, useState } from 'preact/hooks';
import browser from 'webextension-polyfill';
import { hostPattern } from '../messages/host-pattern.ts';
import { readView } from '../messages/read-view.ts';
import { quotaLeft, standingOf } from '../queue/standing.ts';
import { readSettings, type Settings } from '../storage/settings.ts';
import type { View } from '../storage/view.ts';
import { isWebAddress } from '../ui/addresses.ts';
import { useClipboard } from '../ui/copy.tsx';
import { openPage } from '../ui/page.tsx';
import { t } from '../ui/strings.ts';
import { setTheme } from '../ui/theme.ts';
import { useNow } from '../ui/use-now.ts';
import { useOnline } from '../ui/use-online.ts';
import { useProblem } from '../ui/use-problem.ts';
import { useView } from '../ui/use-view.ts';
import type { Actions } from './actions.ts';
import { Popup } from './popup.tsx';
import { stageOf, type Tab, type Wish, wantedOf } from './stage.ts';
import { useWish } from './use-wish.ts';

void openPage('extensionName', async () => {
  const [tab, settings] = await Promise.all([readTab(), readSettings()]);
  setTheme(settings.theme);
  return <App tab={tab} settings={settings} first={await readView(tab.private, wantedOf(tab, null))} />;
});

function App({ tab, settings, first }: { tab: Tab; settings: Settings; first: View }) {
  const [wish, setWish] = useState<Wish | null>(null);
  const { view, refresh } = useView(tab.private, first, wantedOf(tab, wish));
  const { make, askAgain, leave } = useWish(wish, setWish, tab.private, refresh);
  const { problem, say, change, copy } = useProblem(refresh);
  const clipboard = useClipboard(copy);
  const online = useOnline();
  const now = useNow((at) => deadlines(view, at, online));
  const time = { now, lifetime: 'page' };
  const stage = stageOf(view, tab, wish, time, online);

  // Once, as the popup opens.
  useEffect(() => {
    if (settings.shortenOnOpen && stage.kind === 'ready') make(stage.url, stage.title);
  }, []);

  const arrived = stage.kind === 'done' && (stage.fresh || settings.shortenOnOpen) ? stage.link.shortUrl : null;
  // Copied when it arrives, not whenever the page is painted.
  useEffect(() => {
    if (arrived && settings.autoCopy) clipboard.copy(arrived);
  }, [arrived]);

  const actions = useMemo<Actions>(() => {
    return {
      shorten: make,
      askAgain,
      leaveWish: leave,
      cancel: async (id) => {
        const done = await change({ type: 'cancel', id });
        if (done && id === wish?.id) leave();
      },
      retry: (id) => void change({ type: 'retry', id }),
      resume: () => void change({ type: 'resume' }),
      allowService: (baseUrl) => {
        // Asked inside the click: after an await the browser no longer takes it for the person's own wish.
        const asked = browser.permissions.request({ origins: [hostPattern(baseUrl)] });
        void asked.then((granted) =>
          granted ? void change({ type: 'resume' }) : say({ text: t('permissionDenied') }),
        );
      },
      dismiss: () => say(null),
      openOptions: () => void browser.runtime.openOptionsPage().then(() => close()),
      openLinks: () => openTab(browser.runtime.getURL('src/links/index.html')),
      open: (url) => isWebAddress(url) && openTab(url),
    };
  }, [make, askAgain, leave, change, say, wish?.id]);

  return (
    <Popup
      view={view}
      tab={tab}
      wish={wish}
      time={time}
      online={online}
      autoCopy={settings.autoCopy}
      problem={problem}
      clipboard={clipboard}
      actions={actions}
    />
  );
}

async function readTab(): Promise<Tab> {
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true });
  const { url, title = '', incognito = false } = tab ?? {};
  return { url, title, private: incognito, openedAt: performance.timeOrigin };
}

/** Every moment the popup shows. */
function deadlines(view: View, now: number, online: boolean): number[] {
  const time = { now, lifetime: 'page' };
  const standings = view.requests.map((request) => standingOf(request, view, time, online));
  const shown = [...standings.map((one) => ('at' in one ? one.at : null)), quotaLeft(view, time)?.moreAt ?? null];
  return shown.filter((at) => at !== null);
}

function openTab(url: string): void {
  void browser.tabs.create({ url }).then(() => close());
}
