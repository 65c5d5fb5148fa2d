import type { Failure } from '../../src/components/connection-form/connecting-handlers.ts';
import type { ConnectionReport } from '../../src/messages/protocol.ts';
import { ImportDialog } from '../../src/pages/options/import-dialog.tsx';
import { OptionsPage, type OptionsProps } from '../../src/pages/options/options-page.tsx';
import type { ImportExportActions, Preview } from '../../src/pages/options/use-import-export.ts';
import type { OptionsActions } from '../../src/pages/options/use-options-actions.ts';
import { EMPTY_STATE } from '../../src/queue/add-replace-delete-connection.ts';
import type { BlockReason, Connection } from '../../src/queue/types.ts';
import { DEFAULT_SETTINGS } from '../../src/storage/settings.ts';
import {
  CONNECTION,
  HOSTILE_TITLE,
  link,
  NOT_LOADED,
  NOW,
  queue,
  queuesView,
  request,
  SECOND_CONNECTION,
} from './fixtures.ts';

export const FOUND: ConnectionReport = {
  reached: true,
  connectionId: null,
  kind: 'terse',
  service: {
    name: 'Terse',
    version: '1.0.0',
    shortBaseUrl: 'https://go.example',
    features: ['batch', 'item-idempotency', 'idempotency'],
  },
  key: {
    state: 'accepted',
    name: 'My laptop',
    quota: { limit: 20, windowSeconds: 86_400 },
    perSecond: 1,
  },
};

const PLAIN: ConnectionReport = {
  reached: true,
  connectionId: null,
  kind: 'specification',
  service: null,
  key: { state: 'untested' },
};
const HOSTILE: ConnectionReport = {
  reached: true,
  connectionId: null,
  kind: 'terse',
  service: { name: HOSTILE_TITLE, version: HOSTILE_TITLE, shortBaseUrl: 'https://go.example', features: [] },
  key: { state: 'refused' },
};

const KUTT_DOMAINS = [
  { name: 'links.example.com', shortBaseUrl: 'https://links.example.com' },
  { name: 'go.example', shortBaseUrl: 'https://go.example' },
];
const KUTT: ConnectionReport = {
  reached: true,
  connectionId: null,
  kind: 'kutt',
  service: {
    name: 'Kutt',
    version: '',
    shortBaseUrl: 'https://links.example.com',
    domains: KUTT_DOMAINS,
    features: [],
  },
  key: { state: 'accepted', name: '', quota: null, perSecond: null },
};
const OTHER_SERVER: Connection = {
  ...CONNECTION,
  kind: 'kutt',
  domain: 'go.example',
  limits: { perSecond: null, perDay: 50 },
  service: { name: 'Kutt', shortBaseUrl: 'https://links.example.com', domains: KUTT_DOMAINS, features: [] },
};

/** Returns actions in which every connection test has this result. */
function finding(report: ConnectionReport | Failure): OptionsActions {
  const answer =
    typeof report === 'string' ? ({ ok: false, code: report } as const) : ({ ok: true, value: report } as const);
  return {
    test: () => Promise.resolve(answer),
    save: () => Promise.resolve(answer),
    forget: () => Promise.resolve({ ok: true, value: null }),
    setDefault: () => {},
    allowAccess: () => {},
    change: () => {},
    setNotifications: () => {},
    openShortcuts: () => {},
    openQueue: () => {},
    tell: () => {},
    dismiss: () => {},
  };
}

export const DATA: ImportExportActions = {
  measure: () => Promise.resolve({ links: 1_204, bytes: 1_234_567 }),
  exportData: () => Promise.resolve(),
  read: () => Promise.resolve({ problem: 'not_an_export' }),
  add: () => Promise.resolve({ ok: true, value: { links: 2, connections: 0 } }),
  deleteEverything: () => Promise.resolve({ ok: true, value: null }),
};

export const DEFAULTS: OptionsProps = {
  view: queuesView(),
  offered: null,
  settings: DEFAULT_SETTINGS,
  shortcuts: [
    { description: 'Open Terse', keys: 'Alt+Shift+U' },
    { description: 'Shorten this page', keys: '' },
  ],
  keyword: 'terse',
  version: '0.1.0',
  now: NOW,
  flash: null,
  handlers: finding(FOUND),
  data: DATA,
};

const NONE = queuesView([]);
const paused = { until: NOW + 90_000, reason: 'unreachable' as const, named: false };
const second = queue({ connection: SECOND_CONNECTION });
const halted = (blocked: BlockReason) => queuesView([queue({ state: { ...EMPTY_STATE, blocked } })]);

/** State of the options page: its properties, the typed text and the buttons to press. */
export interface OptionsState {
  props?: Partial<OptionsProps>;
  type?: Record<string, string>;
  press?: string | string[];
  /** Preview of the file that the user has chosen for an import. */
  preview?: Preview;
}

const listed = (at: number, title: string) =>
  link({
    id: `imported ${at}`,
    url: `https://www.example.org/articles/a-rather-long-address-of-number-${at}`,
    title,
    shortUrl: `https://go.example/r1v${at}`,
    createdAt: NOW - at * 86_400_000,
  });

const LISTED = [
  listed(1, 'How to read a river'),
  listed(2, HOSTILE_TITLE),
  listed(3, ''),
  listed(4, 'Käse'),
  listed(5, 'e'),
  listed(6, 'f'),
];

const DAMAGED: Preview = {
  name: `${HOSTILE_TITLE}.json`,
  contents: { connections: [], links: LISTED, settings: null, skipped: 6 },
  plan: { imported: { connections: [], links: LISTED }, alreadyHere: 0 },
};

const EXPORT: Preview = {
  name: 'terse-2026-11-20.json',
  contents: {
    connections: [CONNECTION],
    links: LISTED.slice(0, 1),
    settings: DEFAULT_SETTINGS,
    skipped: 0,
  },
  plan: { imported: { connections: [CONNECTION], links: LISTED.slice(0, 1) }, alreadyHere: 0 },
};

/** Button that opens the row of the first connection. */
const OPEN = `#connection-${CONNECTION.id}`;

export const OPTIONS_STATES: Record<string, OptionsState> = {
  none: { props: { view: NONE } },
  pasted: { props: { view: NONE }, type: { '#address': 'https://links.example.com/#key=terse_abcdefgh' } },
  offered: {
    props: { view: NONE, offered: { baseUrl: 'https://links.example.com', apiKey: `terse_${'a'.repeat(36)}` } },
  },
  'bad-address': {
    props: { view: NONE },
    type: { '#address': 'http://links.example.com' },
    press: 'Connect',
  },
  'no-key': { props: { view: NONE }, type: { '#address': 'links.example.com' }, press: 'Connect' },
  connected: {},
  'not-tried': { props: { view: queuesView([queue({ connection: { ...NOT_LOADED, lastSeenWellAt: null } })]) } },
  'key-refused': { props: { view: halted('unauthorized') } },
  'key-missing': { props: { view: halted('key_missing') } },
  'access-missing': { props: { view: halted('permission') } },
  'not-a-service': { props: { view: halted('not_a_service') } },
  redirected: { props: { view: halted('redirected') } },
  'not-reachable': { props: { view: queuesView([queue({ state: { ...EMPTY_STATE, failures: 3, wait: paused } })]) } },
  'on-hold': { props: { view: queuesView([queue({ state: { ...EMPTY_STATE, paused: true } })]) } },
  'two-key-refused': {
    props: { view: queuesView([queue(), { ...second, state: { ...EMPTY_STATE, blocked: 'unauthorized' } }]) },
  },
  two: { props: { view: queuesView([queue(), second]) } },
  'two-adding': { props: { view: queuesView([queue(), second]) }, press: 'Add connection' },
  open: { press: OPEN },
  'other-server': {
    props: { view: queuesView([queue({ connection: OTHER_SERVER }), second]), handlers: finding(KUTT) },
    press: [OPEN, 'Test'],
  },
  tested: { press: [OPEN, 'Test'] },
  saved: { press: [OPEN, 'Save'] },
  'spec-only': { props: { handlers: finding(PLAIN) }, press: [OPEN, 'Test'] },
  unreachable: {
    props: { handlers: finding({ reached: false, connectionId: null, problem: 'unreachable' }) },
    press: [OPEN, 'Test'],
  },
  unavailable: {
    props: { handlers: finding({ reached: false, connectionId: null, problem: 'unavailable' }) },
    press: [OPEN, 'Test'],
  },
  'spec-only-saved': { props: { handlers: finding(PLAIN) }, press: [OPEN, 'Save'] },
  denied: { props: { handlers: finding('denied') }, press: [OPEN, 'Test'] },
  replacing: { press: [OPEN, 'Replace key'] },
  'forgetting-waiting': {
    props: { view: queuesView([queue({ requests: [request(), request()] })]) },
    press: [OPEN, 'Remove'],
  },
  forgetting: { press: [OPEN, 'Remove'] },
  'importing-damaged': { preview: DAMAGED },
  'importing-export': { preview: EXPORT },
  'importing-nothing': {
    preview: { ...EXPORT, plan: { imported: { connections: [], links: [] }, alreadyHere: 2 } },
  },
  'deleting-everything': { press: 'Delete…' },
  hostile: { props: { handlers: finding(HOSTILE) }, press: [OPEN, 'Test'] },
};

export function optionsIn(state: string) {
  const { props, preview } = OPTIONS_STATES[state] ?? {};
  return (
    <>
      <OptionsPage {...DEFAULTS} {...props} />
      {preview && <ImportDialog {...preview} now={NOW} add={() => {}} close={() => {}} />}
    </>
  );
}
