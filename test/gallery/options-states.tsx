import { signal } from '@preact/signals';
import type { Failure } from '../../src/components/connection-form/save-connection.ts';
import type { SettingsStore } from '../../src/components/settings-store.ts';
import { t } from '../../src/format/i18n.ts';
import type { ConnectionReport } from '../../src/messages/protocol.ts';
import type { DataFiles } from '../../src/pages/options/data-files.ts';
import { OptionsPage } from '../../src/pages/options/options-page.tsx';
import { createOptionsStore, type OptionsDeps, type OptionsStart } from '../../src/pages/options/options-store.ts';
import type { BlockReason, Connection } from '../../src/queue/types.ts';
import { EMPTY_STATE } from '../../src/queue/user-actions.ts';
import { DEFAULT_SETTINGS } from '../../src/storage/settings.ts';
import { CONNECTION, NOW, queue, queuesView, request, SECOND_CONNECTION } from './fixtures.ts';
import type { Steps } from './look/reach.ts';
import { testDeps } from './page-deps.ts';

export const FOUND: ConnectionReport = {
  reached: true,
  connectionId: CONNECTION.id,
  service: {
    name: 'Terse',
    version: '1.0.0',
    shortBaseUrl: 'https://go.example',
    features: ['batch', 'item-idempotency', 'idempotency'],
  },
};

const PLAIN: ConnectionReport = { ...FOUND, service: null };

const KUTT_DOMAINS = [
  { name: 'links.example.com', shortBaseUrl: 'https://links.example.com' },
  { name: 'go.example', shortBaseUrl: 'https://go.example' },
];
const OTHER_SERVER: Connection = {
  ...CONNECTION,
  kind: 'kutt',
  domain: 'go.example',
  limits: { perSecond: null, perDay: 50 },
  service: { name: 'Kutt', shortBaseUrl: 'https://links.example.com', domains: KUTT_DOMAINS, features: [] },
};

/** Returns dependencies in which every save of a connection has this result. */
function finding(report: ConnectionReport | Failure): Partial<OptionsDeps> {
  const answer =
    typeof report === 'string' ? ({ ok: false, code: report } as const) : ({ ok: true, value: report } as const);
  return { saveConnection: async () => answer };
}

export const FILES: DataFiles = {
  exportData: async () => null,
  importFile: async () => ({ isDone: true, text: t('imported', '2', '0', '0') }),
  deleteEverything: async () => ({ isDone: true, text: t('deletedEverything') }),
};

/** Differences between a state and a page with one working connection. */
export interface OptionsGiven {
  start?: Partial<OptionsStart>;
  deps?: Partial<OptionsDeps>;
}

/** Creates a store of the options page that changes nothing outside the page. */
export function optionsStore({ start, deps }: OptionsGiven = {}) {
  const settings: SettingsStore = {
    settings: signal(DEFAULT_SETTINGS),
    change: () => {},
    setNotifications: () => {},
    start: () => () => {},
  };
  const view = start?.view ?? queuesView();
  const usual = {
    ...testDeps({ view }),
    ...finding(FOUND),
    forgetConnection: async () => ({ ok: true, value: null }) as const,
  };
  return createOptionsStore({ ...usual, files: FILES, ...deps } as OptionsDeps, {
    offered: null,
    settings,
    ...start,
    view,
  });
}

/** Renders the page of a store. */
export function pageOf(store: ReturnType<typeof optionsStore>) {
  return <OptionsPage store={store} version="0.1.0" />;
}

const NONE = queuesView([]);
const paused = { until: NOW + 90_000, reason: 'unreachable' as const, named: false };
const second = queue({ connection: SECOND_CONNECTION });
const halted = (blocked: BlockReason) => queuesView([queue({ state: { ...EMPTY_STATE, blocked } })]);

export interface OptionsState extends Steps {
  given?: OptionsGiven;
}

/** Button that opens the row of the first connection. */
const OPEN = `#connection-${CONNECTION.id}`;

export const OPTIONS_STATES: Record<string, OptionsState> = {
  none: { given: { start: { view: NONE } } },
  pasted: { given: { start: { view: NONE } }, type: { '#address': 'https://links.example.com/#key=terse_abcdefgh' } },
  offered: {
    given: {
      start: { view: NONE, offered: { baseUrl: 'https://links.example.com', apiKey: `terse_${'a'.repeat(36)}` } },
    },
  },
  'bad-address': {
    given: { start: { view: NONE } },
    type: { '#address': 'http://links.example.com' },
    press: t('connect'),
  },
  'no-key': { given: { start: { view: NONE } }, type: { '#address': 'links.example.com' }, press: t('connect') },
  connected: {},
  'key-refused': { given: { start: { view: halted('unauthorized') } } },
  'key-missing': { given: { start: { view: halted('key_missing') } } },
  'access-missing': { given: { start: { view: halted('permission') } } },
  'not-a-service': { given: { start: { view: halted('not_a_service') } } },
  redirected: { given: { start: { view: halted('redirected') } } },
  'not-reachable': {
    given: { start: { view: queuesView([queue({ state: { ...EMPTY_STATE, failures: 3, wait: paused } })]) } },
  },
  'two-key-refused': {
    given: {
      start: { view: queuesView([queue(), { ...second, state: { ...EMPTY_STATE, blocked: 'unauthorized' } }]) },
    },
  },
  two: { given: { start: { view: queuesView([queue(), second]) } } },
  'two-adding': { given: { start: { view: queuesView([queue(), second]) } }, press: t('addConnection') },
  open: { press: OPEN },
  'other-server': {
    given: { start: { view: queuesView([queue({ connection: OTHER_SERVER }), second]) } },
    press: [OPEN, t('save')],
  },
  saved: { press: [OPEN, t('save')] },
  'spec-only': { given: { deps: finding(PLAIN) }, press: [OPEN, t('save')] },
  unreachable: {
    given: { deps: finding({ reached: false, connectionId: CONNECTION.id, problem: 'unreachable' }) },
    press: [OPEN, t('save')],
  },
  unavailable: {
    given: { deps: finding({ reached: false, connectionId: CONNECTION.id, problem: 'unavailable' }) },
    press: [OPEN, t('save')],
  },
  denied: { given: { deps: finding('denied') }, press: [OPEN, t('save')] },
  'forgetting-waiting': {
    given: { start: { view: queuesView([queue({ requests: [request(), request()] })]) } },
    press: [OPEN, t('forgetConnection')],
  },
  'deleting-everything': { press: t('deleteEllipsis') },
};

export function optionsIn(state: string) {
  return pageOf(optionsStore(OPTIONS_STATES[state]?.given));
}
