import { computed, effect, signal } from '@preact/signals';
import type { Connection as ConnectionLink } from '@terse/contract/connection-link';
import { createConnectionForms } from '../../components/connection-form/connection-forms-store.ts';
import { saveConnection } from '../../components/connection-form/save-connection.ts';
import { createPageStore, PAGE_DEPS, type PageDeps, together } from '../../components/page-store.ts';
import type { SettingsStore } from '../../components/settings-store.ts';
import { createShortenCommand, type ShortenProgress } from '../../components/shorten-command.ts';
import { storedData } from '../../components/stored-data.ts';
import { t } from '../../format/i18n.ts';
import { notShortenableMessage } from '../../format/status-text.ts';
import type { ListedRequest } from '../../queue/status.ts';
import type { Link, VisibleQueues } from '../../queue/types.ts';
import { onLinksChanged } from '../../storage/database.ts';
import { isWebUrl, type NotShortenable, typedTarget } from '../../urls/shortenable-url-rules.ts';

/** Functions of the browser, the background worker and the database that the welcome page uses. */
export interface WelcomeDeps extends PageDeps {
  saveConnection: typeof saveConnection;
  hasFocus: () => boolean;
}

export const WELCOME_DEPS: WelcomeDeps = {
  ...PAGE_DEPS,
  saveConnection,
  hasFocus: () => document.hasFocus(),
};

/** Kind of the browser's toolbar. Android has none. */
export type Toolbar = 'chrome' | 'firefox' | 'none';

export interface WelcomeStart {
  view: VisibleQueues;
  settings: SettingsStore;
  /** Connection described by the connection link that opened this page, or null. */
  offered: ConnectionLink | null;
  toolbar: Toolbar;
  /** Keyboard shortcut that opens the popup; empty if there is none. */
  shortcut: string;
}

/** State of the first link. */
export type FirstLink =
  | { kind: 'none' }
  | { kind: 'pending'; listed: ListedRequest }
  | { kind: 'done'; link: Link }
  /** The URL was refused, or the background worker never replied. */
  | { kind: 'problem'; text: string };

export type WelcomeStore = ReturnType<typeof createWelcomeStore>;

/** Creates the store of the welcome page, on which the user connects a server and creates the first link. */
export function createWelcomeStore(deps: WelcomeDeps, { view, settings, offered, ...start }: WelcomeStart) {
  const page = createPageStore(deps, view);
  const blocked = signal<NotShortenable | null>(null);
  /** Command whose link the next read looks for. */
  let reading: ShortenProgress | null = null;
  const links = storedData<Link[]>([], () => deps.readLinks({ latest: 0, ids: reading ? [reading.resultId] : [] }));
  const command = createShortenCommand(deps, null, false, (order) => {
    reading = order;
    return Promise.all([page.refresh(), links.refresh()]);
  });

  const firstLink = computed((): FirstLink => {
    if (blocked.value) return { kind: 'problem', text: notShortenableMessage(blocked.value) };
    const order = command.order.value;
    if (!order) return { kind: 'none' };
    if (order.state === 'refused') return { kind: 'problem', text: notShortenableMessage(order.code) };
    if (order.state === 'lost') return { kind: 'problem', text: t('noReply') };
    const link = links.value.value.find(({ id }) => id === order.resultId);
    if (link) return { kind: 'done', link };
    const listed = page.requests.value.find(({ request }) => request.id === order.resultId);
    return listed ? { kind: 'pending', listed } : { kind: 'none' };
  });
  const shortUrl = computed(() => (firstLink.value.kind === 'done' ? firstLink.value.link.shortUrl : null));

  /** Requests a short URL. If the last request failed, the new request replaces it. */
  async function shorten(text: string): Promise<void> {
    const { value: last } = firstLink;
    const target = typedTarget(text, () => false);
    blocked.value = 'blocked' in target ? target.blocked : null;
    if (!('url' in target)) return;
    const hasFailed = last.kind === 'pending' && last.listed.status.kind === 'failed';
    const insteadOf = hasFailed ? last.listed.request.id : undefined;
    await command.place({ ...target, title: '', connectionId: null, options: null, anew: false, insteadOf });
  }

  function follow(): () => void {
    return together(
      page.start(),
      settings.start(),
      links.follow(onLinksChanged),
      effect(() => {
        // The background worker may have copied the link already. The page copies the link again, so that its copy
        // button shows “Copied”.
        if (shortUrl.value && settings.settings.peek().autoCopy && deps.hasFocus())
          void page.copy(shortUrl.value, true);
      }),
    );
  }

  return {
    ...page,
    ...start,
    ...{ settings, firstLink, shorten },
    start: follow,
    forms: createConnectionForms({ ...page, offered, save: deps.saveConnection }),
    /** Queue of the default connection. Null if there is none. */
    queue: computed(() => page.queues.value[0] ?? null),
    /** True while a command waits for the background worker to accept it. */
    isAsking: computed(() => command.asking.value !== null),
    open: (url: string): void => {
      if (isWebUrl(url)) void deps.openTab(url);
    },
  };
}
