import { computed, effect, signal } from '@preact/signals';
import { COPIED_WITHIN_MS } from '../../browser/clipboard-and-download.ts';
import { onLastPrivateWindowClosed } from '../../browser/tabs.ts';
import type { FormTarget } from '../../components/link-form/link-form-values.ts';
import { createPageStore, type PageDeps, together } from '../../components/page-store.ts';
import { createShortenCommand, handedOrder, type NewShortenCommand } from '../../components/shorten-command.ts';
import { storedData } from '../../components/stored-data.ts';
import { t } from '../../format/i18n.ts';
import { pageAddress } from '../../messages/open-page-with-data.ts';
import type { Link, VisibleQueues } from '../../queue/types.ts';
import { ownShortUrls } from '../../servers/capabilities.ts';
import { onLinksChanged } from '../../storage/database.ts';
import type { Settings } from '../../storage/settings.ts';
import { isWebUrl, type NotShortenable, typedTarget } from '../../urls/shortenable-url-rules.ts';
import { currentTarget, linkQuery, pageOf, popupStateOf } from './popup-state.ts';
import type { Opening } from './read-tab.ts';

export interface PopupDeps extends PageDeps {
  /** Opens a URL in a private window. */
  openPrivately: (url: string) => Promise<void>;
  close: () => void;
}

export interface PopupStart extends Opening {
  settings: Settings;
  queues: VisibleQueues;
  links: Link[];
}

/** A URL to shorten, with its title. Without options, the user's link defaults apply. */
export type Shorten = Pick<NewShortenCommand, 'url' | 'title' | 'userInfoRemoved'> &
  Partial<Pick<NewShortenCommand, 'options' | 'insteadOf'>>;

/** Content of the field for entering another URL. */
export interface UrlDraft {
  text: string;
  /** Reason why the text cannot be shortened. Null if the text is valid or was not checked yet. */
  problem: NotShortenable | null;
  /** Id of an existing request that the new request replaces. */
  insteadOf?: string | undefined;
}

export type PopupStore = ReturnType<typeof createPopupStore>;

/** Creates the store of the popup. */
export function createPopupStore(deps: PopupDeps, { tab, handed, settings, ...first }: PopupStart) {
  const page = createPageStore(deps, first.queues);
  const { connections, chosenId, chosen, requests, now, flash } = page;
  /** Command whose links the next read looks for. */
  let reading = handed && handedOrder(handed, connections.value[0]?.id ?? null);
  // If a connection changes while the popup is open, the background worker refuses the new server's short URLs.
  const isOwn = ownShortUrls(connections.value);
  const isWindow = tab.id === undefined;
  const ofTab = pageOf(tab, isOwn, settings);
  const links = storedData(first.links, () => deps.readLinks(linkQuery(ofTab, reading, settings)));
  const command = createShortenCommand(deps, reading, tab.private, (order) => {
    reading = order;
    return Promise.all([page.refresh(), links.refresh()]);
  });

  const { order } = command;
  /** URL of a command that has not been accepted yet. */
  const asking = computed(() => command.asking.value?.url ?? null);
  /** True if a command from a private window, which is stored nowhere, waits for the server's answer. */
  const isSentPrivately = computed(() => tab.private && asking.value !== null);
  const target = computed(() => currentTarget(ofTab, order.value, isOwn, settings));
  const state = computed(() =>
    popupStateOf({
      tab,
      target: target.value,
      order: order.value,
      requests: requests.value,
      links: links.value.value,
      connection: chosen.value?.connection ?? null,
      now: now.value,
    }),
  );
  /**
   * The unfinished requests and the latest links. What the main area shows is left out, so that the lists do not move
   * when a result arrives.
   */
  const others = computed(() => {
    const shown = state.value;
    return {
      requests: requests.value.filter(({ request }) => shown.kind !== 'pending' || request.id !== shown.request.id),
      links: links.value.value.filter(({ id }) => shown.kind !== 'done' || id !== shown.link.id),
    };
  });

  /** Content of the field for another URL. Null if the field is closed. */
  const draft = signal<UrlDraft | null>(null);
  /** Link that the user customizes. Null if the form is closed. */
  const form = signal<FormTarget | null>(null);
  /** Short URL whose QR code is shown. */
  const qr = signal<string | null>(null);

  /** Shortens a URL. Resolves to true if the background worker accepted the command. */
  function shorten({ options = null, insteadOf, ...what }: Shorten, anew = false): Promise<boolean> {
    const server = chosen.value?.connection;
    const connectionId = server?.id ?? null;
    return command.place({ ...what, options, connectionId, server, anew, insteadOf: anew ? undefined : insteadOf });
  }

  /** Shortens the page or URL that the popup shows. Optionally creates another link for it. */
  function shortenTarget(anew = false): void {
    const { url = '', title, userInfoRemoved } = target.value;
    if (asking.value === null) void shorten({ url, title, userInfoRemoved }, anew);
  }

  /** Opens the form for the page or URL that the popup shows. */
  function customize(about: Partial<FormTarget> = {}): void {
    const { original = '', title } = target.value;
    draft.value = null;
    form.value = { url: original, title, ...about };
  }

  async function shortenForm(from: FormTarget, what: Shorten): Promise<void> {
    if (await shorten({ ...what, insteadOf: from.insteadOf }, from.anew)) form.value = null;
  }

  /** Sends the last command again. If its server has changed, sends it as a new command. */
  function askAgain(): void {
    const before = order.value;
    if (before?.state === 'refused' && before.code === 'server_changed') void shorten(before, before.anew);
    else command.askAgain();
  }

  /** Makes the popup show the current page again. */
  const leave = (): void => command.show(null);

  /** Switches to a connection and makes it the default. */
  function choose(connectionId: string): void {
    chosenId.value = connectionId;
    void page.change({ type: 'set-default-connection', connectionId });
  }

  function editUrl(text = '', insteadOf?: string): void {
    draft.value = { text, problem: null, insteadOf };
  }

  /** Sends the URL in the field, and then closes the field. */
  async function sendDraft(): Promise<void> {
    if (asking.value !== null || !draft.value) return;
    const { text, insteadOf } = draft.value;
    const typed = typedTarget(text, isOwn);
    if ('blocked' in typed) {
      draft.value = { text, insteadOf, problem: typed.blocked };
      return;
    }
    await shorten({ ...typed, title: '', insteadOf });
    draft.value = null;
  }

  const openPage = (url: string): void => void deps.openTab(url).then(deps.close);

  /** Opens the bulk page, which can then add the links in the selected text of the tab. */
  function openMany(): void {
    if (tab.private) flash.value = { text: t('refusal_private_list') };
    else openPage(pageAddress('bulk', `from=${tab.id}`));
  }

  function open(url: string): void {
    if (!isWebUrl(url)) return;
    // In a popup window, `openTab` would open a link from a private tab in a normal window.
    const opened = tab.private && isWindow ? deps.openPrivately(url) : deps.openTab(url);
    opened.then(deps.close, () => {
      flash.value = { text: t('refusal_internal'), url };
    });
  }

  function showQr(shortUrl: string): void {
    qr.value = shortUrl;
  }

  /** Ids of the links that were copied automatically, or would have been if the user had not turned this off. */
  const copiedIds = new Set<string>();

  /**
   * Copies the short URL that the popup shows, once, if it is new or if the user asked for it. If the popup is closed,
   * or the command came from a menu or a shortcut, the background worker copies the short URL instead.
   */
  function copyNewLink(): void {
    if (state.value.kind !== 'done') return;
    const { link, fresh } = state.value;
    const { autoCopy, shortenOnOpen } = settings;
    const isResult = order.value?.resultId === link.id;
    if (copiedIds.has(link.id) || !(fresh || isResult || shortenOnOpen)) return;
    copiedIds.add(link.id);
    if (!autoCopy) return;
    // A second copy could replace a text that the user has copied since.
    const isCopied = isResult && order.value?.isCopied && link.createdAt - order.value.at <= COPIED_WITHIN_MS;
    if (isCopied) page.copied.value = link.shortUrl;
    else void page.copy(link.shortUrl);
  }

  /** Follows the stored data, and shortens the page if the user has chosen this. */
  function start(): () => void {
    const stops = [page.start(), links.follow(onLinksChanged), effect(copyNewLink)];
    // A separate window is not closed together with the private window that it belongs to.
    if (isWindow && tab.private) stops.push(onLastPrivateWindowClosed(deps.close));
    // In a private window, the popup first says what the server will know.
    if (settings.shortenOnOpen && !tab.private && state.value.kind === 'ready') shortenTarget();
    return together(...stops);
  }

  return {
    ...page,
    ...{ tab, settings, order, asking, isSentPrivately, isOwn, target, state, others, draft, form, qr },
    ...{ shortenTarget, shortenForm, customize, askAgain, leave, choose },
    ...{ editUrl, sendDraft, openMany, open, showQr, start },
    links: links.value,
    /** True if the user can choose between several connections. */
    hasChoice: computed(() => connections.value.length > 1),
    openWelcome: () => openPage(pageAddress('welcome')),
    openLinks: () => openPage(pageAddress('links')),
    openQueue: () => openPage(pageAddress('queue')),
    command,
  };
}
