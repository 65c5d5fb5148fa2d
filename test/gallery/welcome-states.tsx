import type { WelcomeActions } from '../../src/pages/welcome/use-welcome-actions.ts';
import { WelcomePage, type WelcomeProps } from '../../src/pages/welcome/welcome-page.tsx';
import { EMPTY_STATE } from '../../src/queue/add-replace-delete-connection.ts';
import { CONNECTION, LINKS, NOT_LOADED, NOW, queue, request } from './fixtures.ts';
import { FOUND } from './options-states.tsx';

const nothing = () => {};

const HANDLERS: WelcomeActions = {
  test: () => Promise.resolve({ ok: true, value: FOUND }),
  save: () => Promise.resolve({ ok: true, value: FOUND }),
  allowAccess: nothing,
  setNotifications: nothing,
  retry: nothing,
  tryNow: nothing,
  cancel: nothing,
  change: nothing,
  openOptions: nothing,
  open: nothing,
};

export const WELCOME_DEFAULTS: WelcomeProps = {
  queue: queue(),
  offered: null,
  settings: { notifications: false, saveTitles: false },
  toolbar: 'chrome',
  pinned: false,
  shortcut: 'Alt+Shift+U',
  firstLink: { kind: 'none' },
  isAsking: false,
  shorten: nothing,
  askAgain: nothing,
  flash: null,
  dismissFlash: nothing,
  now: NOW,
  clipboard: { copied: null, copy: nothing },
  handlers: HANDLERS,
};

const [LINK] = LINKS;
if (!LINK) throw new Error('The fixtures have no link.');
const listed = { request: request(), connection: CONNECTION };

/** State of the welcome page: its properties, the typed text and the buttons to press. */
export interface WelcomeState {
  props?: Partial<WelcomeProps>;
  type?: Record<string, string>;
  press?: string | string[];
}

export const WELCOME_STATES: Record<string, WelcomeState> = {
  new: { props: { queue: null } },
  firefox: { props: { toolbar: 'firefox', pinned: null } },
  offered: {
    props: { queue: null, offered: { baseUrl: 'https://links.example.com', apiKey: `terse_${'a'.repeat(36)}` } },
  },
  'bad-address': { props: { queue: null }, type: { '#address': 'http://links.example.com' }, press: 'Connect' },
  android: { props: { toolbar: 'none', pinned: null, shortcut: '' } },
  connected: {},
  'not-tried': { props: { queue: queue({ connection: { ...NOT_LOADED, lastSeenWellAt: null } }) } },
  'key-missing': { props: { queue: queue({ state: { ...EMPTY_STATE, blocked: 'key_missing' } }) } },
  'access-missing': { props: { queue: queue({ state: { ...EMPTY_STATE, blocked: 'permission' } }) } },
  asking: { props: { isAsking: true } },
  waiting: {
    props: {
      firstLink: { kind: 'pending', listed: { ...listed, status: { kind: 'waiting', reason: 'offline', at: null } } },
    },
  },
  uncertain: {
    props: {
      firstLink: {
        kind: 'pending',
        listed: {
          ...listed,
          request: request({ state: 'uncertain', problem: { code: 'timeout', message: '' } }),
          status: { kind: 'uncertain' },
        },
      },
    },
  },
  failed: {
    props: {
      firstLink: {
        kind: 'pending',
        listed: {
          ...listed,
          request: request({ state: 'failed', problem: { code: 'invalid_url', message: '' } }),
          status: { kind: 'failed' },
        },
      },
    },
  },
  refused: { props: { firstLink: { kind: 'refused', code: 'not_a_url' } } },
  lost: { props: { firstLink: { kind: 'lost' } } },
  done: {
    props: {
      pinned: true,
      settings: { notifications: true, saveTitles: true },
      firstLink: { kind: 'done', link: LINK },
    },
  },
  'done-copied': {
    props: {
      firstLink: { kind: 'done', link: LINK },
      clipboard: { copied: LINK.shortUrl, copy: nothing },
      shortcut: '',
    },
  },
};

export function welcomeIn(state: string) {
  return <WelcomePage {...WELCOME_DEFAULTS} {...WELCOME_STATES[state]?.props} />;
}
