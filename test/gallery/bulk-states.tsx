import { t } from '../../src/format/i18n.ts';
import { BulkPage, type BulkPageProps } from '../../src/pages/bulk/bulk-page.tsx';
import { type Entry, foundInText, selectedEntries, withFound } from '../../src/pages/bulk/list-model.ts';
import { previewCost } from '../../src/pages/bulk/quota-preview.ts';
import { listRequests, quotaLeft } from '../../src/queue/status/request-status.ts';
import type { Link, Queue } from '../../src/queue/types.ts';
import { isListMissing } from '../../src/servers/capabilities.ts';
import { DEFAULT_SETTINGS } from '../../src/storage/settings.ts';
import {
  CONNECTION,
  HOSTILE_TITLE,
  HOSTILE_URL,
  HOSTILE_WORDS,
  LINKS,
  limits,
  link,
  NOT_LOADED,
  NOW,
  queue,
  queuesView,
  request,
  SECOND_CONNECTION,
  SPEC_ONLY,
  TIME,
} from './fixtures.ts';

const nothing = () => {};

export const HANDLERS: BulkPageProps['handlers'] = {
  addText: () => true,
  addTransfer: () => true,
  addFiles: nothing,
  addTabs: nothing,
  addSelectedTabs: nothing,
  addSelection: nothing,
  send: nothing,
  cancel: nothing,
  retry: nothing,
  backToList: nothing,
  copyText: nothing,
  copyResult: nothing,
  exportCsv: nothing,
  choose: nothing,
  dismiss: nothing,
  openOptions: nothing,
};

const BATCHING = {
  ...CONNECTION,
  service: {
    name: 'Terse',
    shortBaseUrl: 'https://go.example',
    features: [...(CONNECTION.service?.features ?? []), 'item-idempotency'],
  },
};

const clipboard = { copied: null, copy: nothing };

export const DEFAULTS: BulkPageProps = {
  view: queuesView(),
  chosen: queue(),
  isDropTarget: false,
  flash: null,
  announced: '',
  compose: null,
  group: null,
  handlers: HANDLERS,
};

/** Returns the bulk page's properties while the user edits a list. */
function composing(
  text: string,
  { chosenQueue = queue(), known = [] as Link[], unchosen = [] as number[], titles = [] as string[] } = {},
): Partial<BulkPageProps> {
  let ids = 0;
  const { entries, invalid } = withFound(
    { entries: [], invalid: [] },
    foundInText(text),
    () => false,
    DEFAULT_SETTINGS,
    () => `entry-${++ids}`,
  );
  const titled = entries.map((entry, index): Entry => ({ ...entry, title: titles[index] ?? '' }));
  const choices = new Map(unchosen.map((index) => [titled[index]?.id ?? '', false]));
  const byUrl = new Map(known.map((one) => [one.url, one]));
  const waiting = new Set(chosenQueue.requests.map(({ url }) => url));
  const isFree = (url: string) => byUrl.has(url) || waiting.has(url);
  const chosen = selectedEntries({ list: { entries: titled, invalid }, choices }, isFree);
  return {
    chosen: chosenQueue,
    compose: {
      entries: titled,
      invalid,
      chosen,
      known: byUrl,
      isListMissing: isListMissing(chosenQueue.connection),
      waiting,
      plan: previewCost(chosenQueue, chosen, byUrl, 'never', TIME, true),
      quota: quotaLeft(chosenQueue, TIME),
      now: NOW,
      sending: false,
      selectedTabs: 4,
      hasSelection: true,
      text: '',
      setText: nothing,
      choose: nothing,
      clear: nothing,
      removeInvalid: nothing,
      handlers: HANDLERS,
    },
  };
}

/** Returns the bulk page's properties after the list was sent, with the created links and the waiting requests. */
function sent(made: Link[], requests: Queue['requests'], part: Partial<Queue> = {}, gone = 0): Partial<BulkPageProps> {
  const queues = [queue({ ...part, requests })];
  const ids = [...made, ...requests].map(({ id }) => id);
  const group = { id: 'group', ids: [...ids, ...Array(gone).fill('gone')], createdAt: NOW };
  return {
    view: queuesView(queues),
    group: {
      view: { group, links: made },
      queues,
      requests: listRequests(queuesView(queues), TIME, true),
      now: NOW,
      hasRest: gone > 0,
      clipboard,
      handlers: HANDLERS,
    },
  };
}

const urls = (count: number) => Array.from({ length: count }, (_, n) => `https://www.example.org/articles/${n + 1}`);
const listed = (count: number) => urls(count).map((url) => request({ url, title: '', groupId: 'group' }));
const made = (count: number) => urls(count).map((url) => link({ url, title: '', groupId: 'group' }));
const mixed = [...urls(6), LINKS[0]?.url, urls(1)[0], 'Shopping list', 'mailto:jane@example.com'].join('\n');

/** States of the bulk page by name. Some states press a button first. */
export const MANY_STATES: Record<string, { props: Partial<BulkPageProps>; press?: string }> = {
  empty: { props: composing('') },
  list: {
    props: composing(mixed, {
      chosenQueue: queue({ connection: BATCHING }),
      known: LINKS.slice(0, 1),
      unchosen: [2],
      titles: ['How to read a river', '', 'Winter timetable 2026/27 – all lines, all stops (PDF)'],
    }),
  },
  'spec-only': {
    props: composing(urls(35).join('\n'), { chosenQueue: queue({ connection: SPEC_ONLY, limits: limits(15) }) }),
  },
  thousand: { props: composing(urls(1_200).join('\n'), { chosenQueue: queue({ connection: SPEC_ONLY }) }) },
  'not-loaded': { props: composing(urls(3).join('\n'), { chosenQueue: queue({ connection: NOT_LOADED }) }) },
  hostile: { props: composing(`${HOSTILE_URL}\n${HOSTILE_WORDS}`, { titles: [HOSTILE_TITLE] }) },
  'two-connections': {
    props: { ...composing(urls(3).join('\n')), view: queuesView([queue(), queue({ connection: SECOND_CONNECTION })]) },
  },
  dropping: { props: { ...composing(urls(2).join('\n')), isDropTarget: true } },
  'no-tabs': { props: { ...composing(''), flash: { text: t('manyNoTabs') } } },
  unconnected: { props: { view: queuesView([]), chosen: null } },
  progress: { props: sent(made(12), listed(18), { connection: SPEC_ONLY, limits: limits(8) }) },
  held: { props: sent(made(2), listed(2), { state: { ...queue().state, paused: true } }) },
  ended: {
    props: sent(
      made(5),
      [request({ state: 'failed', title: '', problem: { code: 'invalid_url', message: '' } })],
      {},
      2,
    ),
  },
  'all-cancelled': { props: sent([], [], {}, 3) },
  cancelling: { props: sent(made(2), listed(3)), press: t('cancelRest') },
  forgotten: { props: { ...composing(''), group: 'unknown' } },
};

export function manyIn(state: string) {
  return <BulkPage {...DEFAULTS} {...MANY_STATES[state]?.props} />;
}
