import { Popup, type PopupProps } from '../../src/popup/popup.tsx';
import type { Tab, Wish } from '../../src/popup/stage.ts';
import { EMPTY_QUEUE } from '../../src/queue/initial.ts';
import type { Attempt, QueueState } from '../../src/queue/types.ts';
import { t } from '../../src/ui/strings.ts';
import {
  budget,
  CONNECTION,
  HOSTILE_TITLE,
  HOSTILE_URL,
  HOSTILE_WORDS,
  LINKS,
  link,
  NOW,
  request,
  SPEC_ONLY,
  TIME,
  view,
} from './fixtures.ts';

const URL_HERE =
  'https://www.theriverjournal.example/essays/2026/how-to-read-a-river-notes-from-forty-years-on-the-water?ref=front';
const TITLE = 'How to read a river: notes from forty years on the water';

export const TAB: Tab = { url: URL_HERE, title: TITLE, private: false, openedAt: NOW - 2_000 };
const WISH: Wish = { id: 'request-here', url: URL_HERE, title: TITLE, state: 'accepted' };
const MADE = link({ id: WISH.id, url: URL_HERE, title: TITLE, shortUrl: 'https://go.example/r1v3R8k' });
const nothing = () => {};

const here = (change: Parameters<typeof request>[0] = {}) =>
  request({ id: WISH.id, url: URL_HERE, title: TITLE, ...change });

export const DEFAULTS: PopupProps = {
  view: view(),
  tab: TAB,
  wish: null,
  time: TIME,
  online: true,
  autoCopy: true,
  problem: null,
  clipboard: { copied: null, copy: nothing },
  actions: {
    shorten: nothing,
    askAgain: nothing,
    leaveWish: nothing,
    cancel: nothing,
    retry: nothing,
    resume: nothing,
    allowService: nothing,
    dismiss: nothing,
    openOptions: nothing,
    openLinks: nothing,
    open: nothing,
  },
};

const copied = { ...DEFAULTS.clipboard, copied: MADE.shortUrl };
const waiting = (count: number) => Array.from({ length: count }, () => request());
const failedBy = (code: 'invalid_url' | 'refused', message: string) =>
  here({ state: 'failed', problem: { code, message } });
const pausedAsBusy = (told: boolean): QueueState => ({
  ...EMPTY_QUEUE,
  pause: { until: NOW + 40 * 60_000, reason: 'busy', told },
  failures: 6,
});
const OPEN: Attempt = {
  connectionId: CONNECTION.id,
  idempotencyKey: 'key',
  requestIds: [WISH.id],
  path: '/api/shorten',
  body: '{}',
  firstSentAt: NOW - 60_000,
  private: false,
  inFlight: false,
};

/** Every state of the popup, by name. */
export const POPUP_STATES: Record<string, Partial<PopupProps> & { press?: string }> = {
  ready: {},
  'ready-new': { view: view({ links: [], budget: budget(20) }) },
  asking: { wish: { ...WISH, state: 'asking' } },
  sending: { wish: WISH, view: view({ requests: [here({ state: 'sending' })] }) },
  throttled: {
    wish: WISH,
    view: view({ requests: [here()], queue: { ...EMPTY_QUEUE, lastEndedAt: NOW - 400 } }),
  },
  done: { wish: WISH, view: view({ links: [MADE, ...LINKS], budget: budget(12) }), clipboard: copied },
  qr: { wish: WISH, view: view({ links: [MADE, ...LINKS] }), clipboard: copied, press: 'QR code' },
  'done-not-copied': { wish: WISH, view: view({ links: [MADE] }), autoCopy: false },
  'done-copy-refused': {
    wish: WISH,
    view: view({ links: [MADE, ...LINKS] }),
    problem: { text: t('copyRefused'), url: MADE.shortUrl },
  },
  'not-cancelled': {
    view: view({ requests: waiting(2) }),
    problem: { text: t('refusal_storage_full') },
  },
  earlier: { view: view({ links: [...LINKS.slice(0, 2), MADE, ...LINKS.slice(2)] }) },
  typed: {
    wish: { id: 'request-typed', url: 'https://shop.example/sale', title: '', state: 'accepted' },
    view: view({ links: [link({ id: 'request-typed', url: 'https://shop.example/sale' }), ...LINKS] }),
  },
  offline: { wish: WISH, online: false, view: view({ requests: [here()] }) },
  quota: { wish: WISH, view: view({ requests: [here(), ...waiting(2)], budget: budget(0) }) },
  unreachable: {
    wish: WISH,
    view: view({
      requests: [here()],
      queue: { ...EMPTY_QUEUE, pause: { until: NOW + 24_000, reason: 'unreachable' }, failures: 3 },
    }),
  },
  busy: { wish: WISH, view: view({ requests: [here()], queue: pausedAsBusy(false) }) },
  'busy-told': { wish: WISH, view: view({ requests: [here()], queue: pausedAsBusy(true) }) },
  resending: {
    wish: WISH,
    view: view({
      requests: [here({ state: 'unknown', attempts: 1, problem: { code: 'timeout', message: '' } })],
      queue: { ...EMPTY_QUEUE, attempt: OPEN, pause: { until: NOW + 24_000, reason: 'unreachable' }, failures: 3 },
    }),
  },
  undecided: {
    wish: WISH,
    view: view({
      connection: SPEC_ONLY,
      requests: [here({ state: 'unknown', problem: { code: 'timeout', message: '' } })],
    }),
  },
  failed: {
    wish: WISH,
    view: view({ requests: [failedBy('refused', 'Links to this host are not allowed here.')] }),
  },
  'queue-mixed': {
    view: view({
      connection: SPEC_ONLY,
      queue: { ...EMPTY_QUEUE, pause: { until: NOW + 24_000, reason: 'busy' } },
      requests: [
        request({ state: 'failed', problem: { code: 'invalid_url', message: 'Please enter a valid URL.' } }),
        request({ state: 'unknown', problem: { code: 'no_answer', message: '' } }),
        request(),
        ...waiting(9),
      ],
    }),
  },
  'blocked-browser': { tab: { ...TAB, url: 'chrome://settings/', title: 'Settings' } },
  'blocked-file': { tab: { ...TAB, url: 'file:///home/me/notes.txt', title: 'notes.txt' } },
  'blocked-own': { tab: { ...TAB, url: 'https://go.example/Kx3f9Qp', title: 'A field guide' } },
  'blocked-unknown': { tab: { ...TAB, url: undefined, title: '' } },
  connect: { view: view({ connection: null, budget: null, links: [] }) },
  'connect-pending': { view: view({ connection: null, budget: null, requests: [here()], links: LINKS.slice(0, 2) }) },
  'connect-again': { view: view({ connection: null, budget: null, requests: waiting(1) }) },
  'halted-permission': { view: view({ queue: { ...EMPTY_QUEUE, halt: 'permission' }, requests: waiting(1) }) },
  'halted-unauthorized': { view: view({ queue: { ...EMPTY_QUEUE, halt: 'unauthorized' } }) },
  lost: { wish: { ...WISH, state: 'lost' } },
  refused: { wish: { ...WISH, state: 'refused', code: 'storage_full' } },
  private: { tab: { ...TAB, private: true } },
  'large-quota': { view: view({ budget: budget(612, 1000) }) },
  hostile: {
    tab: { ...TAB, url: HOSTILE_URL, title: HOSTILE_TITLE },
    wish: { ...WISH, url: HOSTILE_URL },
    view: view({
      requests: [
        request({
          id: WISH.id,
          url: HOSTILE_URL,
          title: HOSTILE_TITLE,
          state: 'failed',
          problem: { code: 'refused', message: HOSTILE_WORDS },
        }),
        request({ title: HOSTILE_TITLE, state: 'failed', problem: { code: 'refused', message: HOSTILE_WORDS } }),
      ],
      links: [
        link({ title: HOSTILE_TITLE, url: HOSTILE_URL, shortUrl: `https://go.example/${'x'.repeat(300)}` }),
        link({ title: '', url: HOSTILE_URL, shortUrl: 'javascript:alert(1)' }),
      ],
      connection: { ...CONNECTION, baseUrl: `https://${'long-'.repeat(12)}name.example` },
    }),
  },
};

export function popupIn(state: string) {
  const { press: _, ...props } = POPUP_STATES[state] ?? {};
  return <Popup {...DEFAULTS} {...props} />;
}
