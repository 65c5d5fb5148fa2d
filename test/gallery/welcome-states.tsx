import { signal } from '@preact/signals';
import { createSettingsStore } from '../../src/components/settings-store.ts';
import { t } from '../../src/format/i18n.ts';
import { WelcomePage } from '../../src/pages/welcome/welcome-page.tsx';
import {
  createWelcomeStore,
  type FirstLink,
  type WelcomeDeps,
  type WelcomeStart,
} from '../../src/pages/welcome/welcome-store.ts';
import type { RequestStatus } from '../../src/queue/status.ts';
import type { Queue, Request } from '../../src/queue/types.ts';
import { EMPTY_STATE } from '../../src/queue/user-actions.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/storage/settings.ts';
import { CONNECTION, LINKS, queue, queuesView, request } from './fixtures.ts';
import type { Steps } from './look/reach.ts';
import { FOUND } from './options-states.tsx';
import { testDeps } from './page-deps.ts';

const [LINK] = LINKS;
if (!LINK) throw new Error('The fixtures have no link.');

/** State in which the first link is requested, but not created. */
function pending(change: Partial<Request>, status: RequestStatus) {
  const listed = { request: request(change), connection: CONNECTION, status };
  return { given: { firstLink: { kind: 'pending' as const, listed } } };
}

/** Everything that a state of the page starts with. */
export interface WelcomeGiven extends Partial<Omit<WelcomeStart, 'settings'>> {
  queue?: Queue | null;
  settings?: Partial<Settings>;
  firstLink?: FirstLink;
  isAsking?: boolean;
  /** True if the short URL of the first link was copied. */
  isCopied?: boolean;
}

export const WELCOME_STATES: Record<string, Steps & { given?: WelcomeGiven }> = {
  new: { given: { queue: null } },
  firefox: { given: { toolbar: 'firefox' } },
  'bad-address': { given: { queue: null }, type: { '#address': 'http://links.example.com' }, press: t('connect') },
  android: { given: { toolbar: 'none', shortcut: '' } },
  connected: {},
  'key-missing': { given: { queue: queue({ state: { ...EMPTY_STATE, blocked: 'key_missing' } }) } },
  'access-missing': { given: { queue: queue({ state: { ...EMPTY_STATE, blocked: 'permission' } }) } },
  asking: { given: { isAsking: true } },
  waiting: pending({}, { kind: 'waiting', reason: 'offline', at: null }),
  uncertain: pending({ state: 'uncertain', problem: { code: 'timeout', message: '' } }, { kind: 'uncertain' }),
  failed: pending({ state: 'failed', problem: { code: 'invalid_url', message: '' } }, { kind: 'failed' }),
  refused: { given: { firstLink: { kind: 'problem', text: t('blocked_not_a_url') } } },
  done: { given: { settings: { notifications: true, saveTitles: true }, firstLink: { kind: 'done', link: LINK } } },
  'done-copied': { given: { firstLink: { kind: 'done', link: LINK }, isCopied: true, shortcut: '' } },
};

/** Creates the store of a state. */
export function welcomeStore(given: WelcomeGiven = {}, deps: Partial<WelcomeDeps> = {}) {
  const { queue: shown = queue(), settings, firstLink, isAsking, isCopied, ...start } = given;
  const view = queuesView(shown ? [shown] : []);
  const answer = async () => ({ ok: true, value: FOUND }) as const;
  const all: WelcomeDeps = {
    ...testDeps({ view }),
    saveConnection: answer,
    hasFocus: () => true,
    ...deps,
  };
  const store = createWelcomeStore(all, {
    ...{ offered: null, toolbar: 'chrome', shortcut: 'Alt+Shift+U', view, ...start },
    settings: createSettingsStore({ ...DEFAULT_SETTINGS, ...settings }),
  });
  store.copied.value = isCopied && firstLink?.kind === 'done' ? firstLink.link.shortUrl : null;
  // States of the first link are shown without a request that leads to them.
  return { ...store, ...(firstLink && { firstLink: signal(firstLink) }), ...(isAsking && { isAsking: signal(true) }) };
}

export function welcomeIn(state: string) {
  return <WelcomePage store={welcomeStore(WELCOME_STATES[state]?.given)} />;
}
