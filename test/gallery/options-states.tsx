import type { ConnectionReport } from '../../src/messages/messages.ts';
import type { Failure } from '../../src/options/actions.ts';
import { Options, type OptionsProps } from '../../src/options/options.tsx';
import { DEFAULT_SETTINGS } from '../../src/storage/settings.ts';
import { HOSTILE_TITLE, NOW, view } from './fixtures.ts';

export const FOUND: ConnectionReport = {
  reached: true,
  service: { name: 'Terse', version: '1.0.0', shortBaseUrl: 'https://go.example', features: ['batch', 'idempotency'] },
  key: {
    state: 'accepted',
    name: 'My laptop',
    quota: { limit: 20, windowSeconds: 86_400, remaining: 13, resetSeconds: 22_680 },
    perSecond: 1,
  },
};

const PLAIN: ConnectionReport = { reached: true, service: null, key: { state: 'untested' } };
const HOSTILE: ConnectionReport = {
  reached: true,
  service: { name: HOSTILE_TITLE, version: HOSTILE_TITLE, shortBaseUrl: 'https://go.example', features: [] },
  key: { state: 'refused' },
};

/** Actions whose look at a service always comes to the same. */
function finding(report: ConnectionReport | Failure): OptionsProps['actions'] {
  const outcome =
    typeof report === 'string' ? ({ ok: false, code: report } as const) : ({ ok: true, value: report } as const);
  return {
    test: () => Promise.resolve(outcome),
    connect: () => Promise.resolve(outcome),
    forget: () => Promise.resolve({ ok: true, value: null }),
    change: () => {},
    setNotifications: () => {},
    openShortcuts: () => {},
    openLinks: () => {},
  };
}

export const DEFAULTS: OptionsProps = {
  view: view(),
  offered: null,
  settings: DEFAULT_SETTINGS,
  shortcuts: [
    { description: 'Open Terse', keys: 'Alt+Shift+U' },
    { description: 'Shorten this page', keys: '' },
  ],
  version: '0.1.0',
  now: NOW,
  actions: finding(FOUND),
};

const NONE = view({ connection: null, budget: null, links: [] });

/** A state of the options page: what it is given, what is typed into it, and which button is pressed then. */
export interface OptionsState {
  props?: Partial<OptionsProps>;
  type?: Record<string, string>;
  press?: string;
}

export const OPTIONS_STATES: Record<string, OptionsState> = {
  none: { props: { view: NONE } },
  pasted: { props: { view: NONE }, type: { '#address': 'https://links.example.com/#key=terse_abcdefgh' } },
  'bad-address': { props: { view: NONE }, type: { '#address': 'http://links.example.com' }, press: 'Connect' },
  'no-key': { props: { view: NONE }, type: { '#address': 'links.example.com' }, press: 'Connect' },
  connected: {},
  tested: { press: 'Test connection' },
  saved: { press: 'Save' },
  'spec-only': { props: { actions: finding(PLAIN) }, press: 'Test connection' },
  unreachable: {
    props: { actions: finding({ reached: false, problem: 'unreachable' }) },
    press: 'Test connection',
  },
  unavailable: {
    props: { actions: finding({ reached: false, problem: 'unavailable' }) },
    press: 'Test connection',
  },
  'spec-only-saved': { props: { actions: finding(PLAIN) }, press: 'Save' },
  denied: { props: { actions: finding('denied') }, press: 'Test connection' },
  replacing: { press: 'Replace key' },
  forgetting: { press: 'Forget connection' },
  hostile: { props: { actions: finding(HOSTILE) }, press: 'Test connection' },
};

export function optionsIn(state: string) {
  return <Options {...DEFAULTS} {...OPTIONS_STATES[state]?.props} />;
}
