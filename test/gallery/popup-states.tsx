import type { FlashMessage } from '../../src/components/page-store.ts';
import type { ShortenProgress } from '../../src/components/shorten-command.ts';
import { t } from '../../src/format/i18n.ts';
import { Popup } from '../../src/pages/popup/popup.tsx';
import { createPopupStore, type PopupDeps } from '../../src/pages/popup/popup-store.ts';
import type { Tab } from '../../src/pages/popup/read-tab.ts';
import { NO_OPTIONS } from '../../src/queue/accept.ts';
import type { Link, ProblemCode, Queue, QueueState, Request, VisibleQueues } from '../../src/queue/types.ts';
import { EMPTY_STATE } from '../../src/queue/user-actions.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/storage/settings.ts';
import {
  CONNECTION,
  HOSTILE_TITLE,
  HOSTILE_URL,
  HOSTILE_WORDS,
  LINKS,
  limits,
  link,
  MINTING,
  NOT_LOADED,
  NOW,
  queue,
  queuesView,
  request,
  SECOND_CONNECTION,
  SPEC_ONLY,
} from './fixtures.ts';
import type { Steps } from './look/reach.ts';
import { testDeps } from './page-deps.ts';

const URL_HERE =
  'https://www.theriverjournal.example/essays/2026/how-to-read-a-river-notes-from-forty-years-on-the-water?ref=front';
const TITLE = 'How to read a river: notes from forty years on the water';
const MINUTE = 60_000;

export const TAB: Tab = { id: 1, url: URL_HERE, title: TITLE, private: false, openedAt: NOW - 2_000 };

/** Returns the progress of a shorten command. By default, the background worker has accepted the command. */
export function order(change: Partial<ShortenProgress> = {}): ShortenProgress {
  const id = change.id ?? 'request-here';
  const base = {
    id,
    resultId: id,
    existing: false,
    isCopied: false,
    at: NOW,
    connectionId: CONNECTION.id,
    options: NO_OPTIONS,
    anew: false,
  };
  return {
    ...base,
    url: URL_HERE,
    title: TITLE,
    userInfoRemoved: false,
    state: 'accepted',
    ...change,
  } as ShortenProgress;
}

const MADE = link({ id: 'request-here', url: URL_HERE, title: TITLE, shortUrl: 'https://go.example/r1v3R8k' });
const TYPED = 'https://shop.example/sale';
/** Input of a popup state. The popup's own rules compute the popup's other properties. */
export interface Given {
  view?: VisibleQueues;
  links?: Link[];
  tab?: Tab;
  order?: ShortenProgress | null;
  asking?: string;
  online?: boolean;
  chosen?: string;
  autoCopy?: boolean;
  formDefaults?: Partial<Settings>;
  flash?: FlashMessage | null;
  /** Short URL that was copied last. */
  copied?: string | null;
}

/** Creates the store of a state. */
export function popupStore(given: Given, deps: Partial<PopupDeps> = {}) {
  const { view = queuesView(), links = LINKS, tab = TAB, online = true } = given;
  const { autoCopy = true } = given;
  const settings = { ...DEFAULT_SETTINGS, autoCopy, ...given.formDefaults };
  const base = testDeps({ view, isOnline: () => online, readLinks: async () => links, ...deps });
  const all = { ...base, openPrivately: base.openTab, close: () => {}, ...deps };
  const store = createPopupStore(all, { tab, handed: null, settings, queues: view, links });
  become(store, given);
  return store;
}

/** Changes the stored data and the command of an open popup to those of another state. */
export function become(store: ReturnType<typeof createPopupStore>, given: Given): void {
  const { view = queuesView(), links = LINKS } = given;
  store.view.value = view;
  store.links.value = links;
  store.command.order.value = given.order ?? null;
  store.command.asking.value = given.asking ? order({ id: 'asking', url: given.asking }) : null;
  store.chosenId.value = given.chosen ?? null;
  store.copied.value = given.copied ?? null;
  store.flash.value = given.flash ?? null;
}

const copied = MADE.shortUrl;
const waiting = (count: number, change: Partial<Request> = {}) => Array.from({ length: count }, () => request(change));
const here = (change: Partial<Request> = {}) => request({ id: 'request-here', url: URL_HERE, title: TITLE, ...change });
const one = (change: Partial<Queue> = {}): VisibleQueues => queuesView([queue(change)]);
const state = (change: Partial<QueueState>): QueueState => ({ ...EMPTY_STATE, ...change });
const failedBy = (code: ProblemCode, message: string) => here({ state: 'failed', problem: { code, message } });
const pausedAsBusy = (named: boolean) =>
  state({ wait: { until: NOW + 40 * MINUTE, reason: 'busy', named }, failures: 6 });
const UNREACHABLE = state({ wait: { until: NOW + 24_000, reason: 'unreachable', named: false }, failures: 3 });
const UNANSWERED = here({ state: 'unknown', attempts: 1, problem: { code: 'timeout', message: '' } });
const FAILING = here({
  state: 'unknown',
  attempts: 2,
  retryAt: NOW + 8 * MINUTE,
  problem: { code: 'server_error', message: '' },
});
const LOST: Request = { ...FAILING, problem: { code: 'no_answer', message: '' } };
const MINTED = {
  sent: {
    path: '/api/v1/urls',
    item: { url: URL_HERE, shortCode: 'r1v3R8k' },
    firstAt: NOW,
    lastAt: NOW,
  },
} satisfies Partial<Request>;
const MINTED_ONE = (requestState: Request['state'] = 'waiting') => here({ ...MINTED, state: requestState });
const generation = (change: Partial<Queue>) => one({ connection: MINTING, ...change });
const failedByCode = () =>
  here({
    state: 'failed',
    options: { ...NO_OPTIONS, shortCode: 'river' },
    problem: { code: 'short_code_taken', message: 'This short code is taken.' },
  });
const WORK = queue({
  connection: SECOND_CONNECTION,
  limits: limits(4),
  requests: waiting(2, { connectionId: SECOND_CONNECTION.id }),
});
const TWO = queuesView([queue({ requests: waiting(1) }), WORK]);

export const POPUP_STATES: Record<string, Given & Steps> = {
  ready: {},
  'ready-low': { view: one({ limits: limits(3) }) },
  'ready-used-up': { view: one({ limits: limits(0) }) },
  'ready-not-loaded': { view: one({ connection: NOT_LOADED }) },
  'ready-new': {
    links: [],
    view: one({ limits: limits(20), connection: { ...CONNECTION, lastSeenWellAt: null } }),
  },
  asking: { asking: URL_HERE },
  sending: { order: order(), view: one({ requests: [here({ state: 'sending' })] }) },
  'sending-low': { order: order(), view: one({ requests: [here({ state: 'sending' })], limits: limits(3) }) },
  throttled: { order: order(), view: one({ requests: [here()], state: state({ lastEndedAt: NOW - 400 }) }) },
  done: { order: order(), links: [MADE, ...LINKS], view: one({ limits: limits(12) }), copied },
  'done-low': { order: order(), links: [MADE, ...LINKS], view: one({ limits: limits(3) }) },
  qr: { order: order(), links: [MADE, ...LINKS], copied, press: t('qrTitle'), shows: 'img.qr' },
  'done-not-copied': { order: order(), links: [MADE], autoCopy: false },
  'done-copy-refused': {
    order: order(),
    links: [MADE, ...LINKS],
    flash: { text: t('copyRefused'), url: MADE.shortUrl },
  },
  'done-other-host': {
    order: order(),
    links: [{ ...MADE, shortUrl: 'https://tiny.elsewhere.example/r1v3R8k' }, ...LINKS],
  },
  'not-cancelled': { view: one({ requests: waiting(2) }), flash: { text: t('refusal_storage_full') } },
  earlier: { links: [...LINKS.slice(0, 2), MADE, ...LINKS.slice(2)] },
  'earlier-low': { links: [MADE, ...LINKS], view: one({ limits: limits(3) }) },
  'existing-handed': {
    order: order({ id: 'order-2', resultId: MADE.id, existing: true, isCopied: true }),
    links: [...LINKS, MADE],
    copied,
  },
  typed: {
    order: order({ id: 'request-typed', url: TYPED, title: '' }),
    links: [link({ id: 'request-typed', url: TYPED, title: '' }), ...LINKS],
  },
  'other-url': { press: t('otherUrl') },
  'typed-blocked': {
    tab: { ...TAB, url: 'chrome://settings/', title: 'Settings' },
    type: { '.url-field .input': 'ftp://files.example/report' },
    press: t('shorten'),
  },
  'user-info': { tab: { ...TAB, url: 'https://alice:secret@intranet.example/report', title: 'Report' } },
  offline: { order: order(), online: false, view: one({ requests: [here()] }) },
  quota: { order: order(), view: one({ requests: [here(), ...waiting(2)], limits: limits(0) }) },
  'minted-sending': { order: order(), view: generation({ requests: [MINTED_ONE('sending')] }) },
  'minted-offline': { order: order(), online: false, view: generation({ requests: [MINTED_ONE()] }) },
  'minted-quota': {
    order: order(),
    view: generation({ requests: [MINTED_ONE(), ...waiting(2, MINTED)], limits: limits(0) }),
    copied,
  },
  'minted-unreachable': { order: order(), view: generation({ requests: [MINTED_ONE()], state: UNREACHABLE }) },
  'minted-taken': {
    order: order(),
    view: generation({ requests: [{ ...failedBy('generated_code_taken', ''), ...MINTED }] }),
  },
  form: { press: t('customize') },
  'form-tracking': {
    tab: { ...TAB, url: `${URL_HERE}&utm_source=newsletter&gclid=EAIaIQ#:~:text=slow%20water` },
    formDefaults: { removeTracking: true, expiry: 'week' },
    press: t('customize'),
  },
  'form-no-options': { view: one({ connection: SPEC_ONLY }), press: t('customize') },
  'failed-code': { order: order(), view: one({ requests: [failedByCode()] }) },
  unreachable: { order: order(), view: one({ requests: [here()], state: UNREACHABLE }) },
  busy: { order: order(), view: one({ requests: [here()], state: pausedAsBusy(false) }) },
  'busy-named': { order: order(), view: one({ requests: [here()], state: pausedAsBusy(true) }) },
  unknown: {
    order: order(),
    view: one({ requests: [UNANSWERED], state: UNREACHABLE }),
  },
  delayed: {
    order: order(),
    view: one({
      requests: [FAILING],
    }),
  },
  'lost-answer': {
    order: order(),
    view: one({ requests: [LOST] }),
  },
  'minted-lost-answer': {
    order: order(),
    view: generation({
      requests: [{ ...LOST, ...MINTED }],
    }),
  },
  uncertain: {
    order: order(),
    view: one({
      connection: SPEC_ONLY,
      requests: [here({ state: 'uncertain', problem: { code: 'timeout', message: '' } })],
    }),
  },
  failed: {
    order: order(),
    view: one({ requests: [failedBy('refused', 'Links to this host are not allowed here.')] }),
  },
  'failed-target': {
    order: order(),
    view: one({ requests: [failedBy('target_refused', 'This address is in a private network.')] }),
  },
  'failed-key': {
    order: order(),
    view: one({
      requests: [here({ state: 'failed', problem: { code: 'unauthorized', message: 'Unknown API key.' } })],
      state: state({ blocked: 'unauthorized' }),
    }),
  },
  'queue-mixed': {
    view: one({
      connection: SPEC_ONLY,
      state: state({ wait: { until: NOW + 24_000, reason: 'busy', named: true } }),
      requests: [
        request({ state: 'failed', problem: { code: 'invalid_url', message: 'Please enter a valid URL.' } }),
        request({ state: 'uncertain', problem: { code: 'no_answer', message: '' } }),
        request(),
        ...waiting(9),
      ],
    }),
  },
  'queue-long': { view: one({ requests: waiting(40), limits: limits(0) }) },
  'two-connections': { view: TWO },
  'two-second-chosen': { view: TWO, chosen: SECOND_CONNECTION.id, tab: { ...TAB, private: true } },
  'two-one-halted': {
    view: queuesView([queue(), { ...WORK, state: state({ blocked: 'unauthorized' }) }]),
    chosen: SECOND_CONNECTION.id,
  },
  'blocked-loading': { tab: { ...TAB, url: undefined, isLoading: true, title: '' } },
  'blocked-browser': { tab: { ...TAB, url: 'chrome://settings/', title: 'Settings' } },
  'blocked-file': { tab: { ...TAB, url: 'file:///home/me/notes.txt', title: 'notes.txt' } },
  'blocked-own': { tab: { ...TAB, url: 'https://go.example/Kx3f9Qp', title: 'A field guide' } },
  connect: { view: queuesView([]), links: [] },
  'halted-permission': { view: one({ state: state({ blocked: 'permission' }), requests: waiting(1) }) },
  'halted-unauthorized': { view: one({ state: state({ blocked: 'unauthorized' }) }) },
  'halted-not-a-service': { view: one({ state: state({ blocked: 'not_a_service' }) }) },
  'halted-generation': { view: generation({ state: state({ blocked: 'unauthorized' }) }) },
  'halted-saved': {
    order: order(),
    view: generation({ state: state({ blocked: 'unauthorized' }), requests: [MINTED_ONE()] }),
  },
  lost: { order: order({ state: 'lost' }) },
  refused: { order: order({ state: 'refused', code: 'storage_full' }) },
  'refused-handed': {
    order: order({ url: 'ftp://files.example/a', title: '', state: 'refused', code: 'not_shortenable' }),
  },
  private: { tab: { ...TAB, private: true } },
  'private-failed': {
    tab: { ...TAB, private: true },
    order: order({
      state: 'finished',
      result: { problem: { code: 'no_answer', message: '' }, isUncertain: false, isRefused: false },
    }),
  },
  'private-done': {
    tab: { ...TAB, private: true },
    order: order({ state: 'finished', result: { link: MADE, isNew: true } }),
  },
  hostile: {
    tab: { ...TAB, url: HOSTILE_URL, title: HOSTILE_TITLE },
    order: order({ url: HOSTILE_URL, title: HOSTILE_TITLE }),
    view: queuesView([
      queue({
        connection: { ...CONNECTION, baseUrl: `https://${'long-'.repeat(12)}name.example` },
        requests: [
          here({
            url: HOSTILE_URL,
            title: HOSTILE_TITLE,
            state: 'failed',
            problem: { code: 'refused', message: HOSTILE_WORDS },
          }),
          request({ title: HOSTILE_TITLE, state: 'failed', problem: { code: 'refused', message: HOSTILE_WORDS } }),
        ],
      }),
      { ...WORK, connection: { ...SECOND_CONNECTION, name: HOSTILE_TITLE } },
    ]),
    links: [
      link({ title: HOSTILE_TITLE, url: HOSTILE_URL, shortUrl: `https://go.example/${'x'.repeat(300)}` }),
      link({ title: '', url: HOSTILE_URL, shortUrl: 'javascript:alert(1)' }),
    ],
  },
};

export function popupIn(name: string, change: Given = {}) {
  return <Popup store={popupStore({ ...POPUP_STATES[name], ...change })} />;
}
