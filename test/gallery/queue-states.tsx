import type { PageDeps } from '../../src/components/page-store.ts';
import { t } from '../../src/format/i18n.ts';
import { QueuePage } from '../../src/pages/queue/queue-page.tsx';
import { createQueueStore } from '../../src/pages/queue/queue-store.ts';
import type { Link, Queue, Request } from '../../src/queue/types.ts';
import {
  CONNECTION,
  HOSTILE_TITLE,
  HOSTILE_URL,
  HOSTILE_WORDS,
  limits,
  link,
  NOW,
  queue,
  queuesView,
  request,
  SECOND_CONNECTION,
  SPEC_ONLY,
} from './fixtures.ts';
import type { Steps } from './look/reach.ts';
import { testDeps } from './page-deps.ts';

const requestsOf = (count: number, listId = 'list') =>
  Array.from({ length: count }, (_, n) =>
    request({ id: `${listId}-${n}`, listId, title: '', url: `https://www.example.org/articles/${n + 1}` }),
  );

const unanswered = request({
  state: 'unknown',
  attempts: 1,
  retryAt: NOW + 60_000,
  problem: { code: 'server_error', message: '' },
});
const wait = { until: NOW + 4 * 60_000, reason: 'unreachable', named: false } as const;

const mixed = queue({
  limits: limits(4),
  connection: SPEC_ONLY,
  requests: [
    request({ state: 'failed', problem: { code: 'target_refused', message: 'This host is not allowed.' } }),
    request({ state: 'uncertain', title: '', problem: { code: 'timeout', message: '' } }),
    unanswered,
    request({ id: 'one', title: 'A field guide to slow software' }),
    request({ id: 'two', title: 'Winter timetable 2026/27 – all lines, all stops (PDF)' }),
    ...requestsOf(30),
  ],
});

const urls = (count: number) => Array.from({ length: count }, (_, n) => `https://www.example.org/articles/${n + 1}`);
const listed = (count: number) => urls(count).map((url) => request({ url, title: '', listId: 'list' }));
const made = (count: number) => urls(count).map((url) => link({ url, title: '', listId: 'list' }));

export interface QueueGiven {
  queues: Queue[];
  online?: boolean;
  /** Error message over the page. */
  flash?: string;
  listId?: string | null;
  list?: Awaited<ReturnType<PageDeps['readList']>>;
}

/** A bulk list with created links, unfinished requests and canceled URLs. */
export function sent(links: Link[], requests: Request[], part: Partial<Queue> = {}, gone = 0): QueueGiven {
  const ids = [...[...links, ...requests].map(({ id }) => id), ...Array(gone).fill('gone')];
  const list = { id: 'list', ids, createdAt: NOW };
  return { queues: [queue({ ...part, requests })], listId: 'list', list: { list, links } };
}

/** States of the queue page by name. Some states press buttons first. */
export const QUEUE_STATES: Record<string, QueueGiven & Steps> = {
  mixed: { queues: [mixed] },
  offline: { queues: [queue({ requests: [request(), ...requestsOf(3)] })], online: false },
  empty: { queues: [queue()] },
  none: { queues: [] },
  'two-connections': {
    queues: [
      queue({ requests: [request(), request()], state: { ...queue().state, wait } }),
      queue({
        connection: SECOND_CONNECTION,
        limits: limits(0),
        requests: [request({ connectionId: SECOND_CONNECTION.id })],
        state: { ...queue().state, blocked: 'unauthorized' },
      }),
    ],
  },
  thousand: { queues: [queue({ connection: SPEC_ONLY, requests: requestsOf(1_000) })] },
  hostile: {
    queues: [
      queue({
        connection: { ...CONNECTION, name: HOSTILE_TITLE },
        requests: [
          request({ title: HOSTILE_TITLE, url: HOSTILE_URL }),
          request({
            title: '',
            url: HOSTILE_URL,
            state: 'failed',
            problem: { code: 'refused', message: HOSTILE_WORDS },
          }),
        ],
      }),
    ],
  },
  'list-progress': { ...sent(made(12), listed(18), { connection: SPEC_ONLY, limits: limits(8) }) },
  'list-held': { ...sent(made(2), listed(2), { state: { ...queue().state, paused: true } }) },
  'list-ended': {
    ...sent(made(5), [request({ state: 'failed', title: '', problem: { code: 'invalid_url', message: '' } })], {}, 2),
  },
  'list-canceled': { ...sent([], [], {}, 3) },
  'list-canceling': { ...sent(made(2), listed(3)), press: t('cancelRest') },
  'list-unknown': { queues: [queue()], listId: 'unknown' },
};

/** Creates the store of a state. */
export function queueStore({ queues, online = true, flash, listId = null, list = null }: QueueGiven, deps = {}) {
  const view = queuesView(queues);
  const isOnline = () => online;
  const store = createQueueStore(testDeps({ view, isOnline, ...deps }), { view, listId, list });
  store.flash.value = flash === undefined ? null : { text: flash };
  return store;
}

export function queueIn(state: string) {
  return <QueuePage store={queueStore(QUEUE_STATES[state] ?? { queues: [] })} />;
}
