import { plural, t } from '../../src/format/i18n.ts';
import { QueuePage, type QueuePageProps } from '../../src/pages/queue/queue-page.tsx';
import { setPaused } from '../../src/queue/cancel-retry-pause.ts';
import { listRequests } from '../../src/queue/status/request-status.ts';
import type { Queue } from '../../src/queue/types.ts';
import {
  attempt,
  CONNECTION,
  HOSTILE_TITLE,
  HOSTILE_URL,
  HOSTILE_WORDS,
  limits,
  NOW,
  queue,
  queuesView,
  request,
  SECOND_CONNECTION,
  SPEC_ONLY,
  TIME,
} from './fixtures.ts';

const nothing = () => {};

export const HANDLERS: QueuePageProps['handlers'] = {
  setOnHold: nothing,
  cancel: nothing,
  retry: nothing,
  tryNow: nothing,
  allowAccess: nothing,
  openGroup: nothing,
  openOptions: nothing,
  dismiss: nothing,
};

const list = (count: number, groupId = 'group') =>
  Array.from({ length: count }, (_, n) =>
    request({ id: `${groupId}-${n}`, groupId, title: '', url: `https://www.example.org/articles/${n + 1}` }),
  );

export function showing(queues: Queue[], online = true): Pick<QueuePageProps, 'view' | 'requests'> {
  const view = queuesView(queues);
  return { view, requests: listRequests(view, TIME, online) };
}

const unanswered = request({ state: 'unknown', attempts: 1, problem: { code: 'server_error', message: '' } });
const wait = { until: NOW + 4 * 60_000, reason: 'unreachable', named: false } as const;

const mixed = queue({
  limits: limits(4),
  connection: SPEC_ONLY,
  attempts: [attempt([unanswered], { parkedUntil: NOW + 60_000 })],
  requests: [
    request({ state: 'failed', problem: { code: 'target_refused', message: 'This host is not allowed.' } }),
    request({ state: 'uncertain', title: '', problem: { code: 'timeout', message: '' } }),
    unanswered,
    request({ id: 'one', title: 'A field guide to slow software' }),
    request({ id: 'two', title: 'Winter timetable 2026/27 – all lines, all stops (PDF)' }),
    ...list(30),
  ],
});

/** States of the queue page by name. Some states press buttons first. */
export const QUEUE_STATES: Record<string, { props: Partial<QueuePageProps>; press?: string | string[] }> = {
  mixed: { props: showing([mixed]) },
  canceling: {
    props: showing([{ ...mixed, requests: [...mixed.requests.slice(3, 5), ...list(4)] }]),
    press: t('cancelNamed', plural('groupTitle', 4)),
  },
  held: { props: showing([setPaused(mixed, true)]) },
  offline: { props: showing([queue({ requests: [request(), ...list(3)] })], false) },
  'not-moved': { props: { ...showing([mixed]), flash: { text: t('refusal_storage_full') } } },
  empty: { props: showing([queue()]) },
  none: { props: showing([]) },
  'two-connections': {
    props: showing([
      queue({ requests: [request(), request()], state: { ...queue().state, wait } }),
      queue({
        connection: SECOND_CONNECTION,
        limits: limits(0),
        requests: [request({ connectionId: SECOND_CONNECTION.id })],
        state: { ...queue().state, blocked: 'unauthorized' },
      }),
    ]),
  },
  thousand: { props: showing([queue({ connection: SPEC_ONLY, requests: list(1_000) })]) },
  hostile: {
    props: showing([
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
    ]),
  },
};

const DEFAULTS: QueuePageProps = {
  view: queuesView([]),
  requests: [],
  flash: null,
  now: NOW,
  handlers: HANDLERS,
};

export function queueIn(state: string) {
  return <QueuePage {...DEFAULTS} {...QUEUE_STATES[state]?.props} />;
}
