import { t } from '../../src/format/i18n.ts';
import { BulkPage } from '../../src/pages/bulk/bulk-page.tsx';
import { type BulkDeps, createBulkStore } from '../../src/pages/bulk/bulk-store.ts';
import type { Queue } from '../../src/queue/types.ts';
import { DEFAULT_SETTINGS } from '../../src/storage/settings.ts';
import {
  CONNECTION,
  HOSTILE_TITLE,
  HOSTILE_URL,
  HOSTILE_WORDS,
  LINKS,
  limits,
  queue,
  queuesView,
  SECOND_CONNECTION,
  SPEC_ONLY,
} from './fixtures.ts';
import { testDeps } from './page-deps.ts';

/** A connection that sends up to 50 URLs in one request. */
export const BATCHING = {
  ...CONNECTION,
  service: {
    name: 'Terse',
    shortBaseUrl: 'https://go.example',
    features: [...(CONNECTION.service?.features ?? []), 'item-idempotency'],
  },
};

export interface BulkGiven {
  queues?: Queue[];
  /** Text that the user pastes. */
  text?: string;
  titles?: string[];
  flash?: string;
}

/** Creates the store of a state. */
export function bulkStore(given: BulkGiven, deps: Partial<BulkDeps> = {}) {
  const { queues = [queue()], text = '', titles = [], flash } = given;
  const view = queuesView(queues);
  const all = { ...testDeps({ view, ...deps }), showProgress: () => {}, ...deps };
  const start = { view, settings: DEFAULT_SETTINGS, selectionTabId: 1 };
  const store = createBulkStore(all, start);
  if (text) store.addText(text);
  store.entries.value = store.entries.value.map((entry, index) => ({ ...entry, title: titles[index] ?? '' }));
  if (flash) store.flash.value = { text: flash };
  return store;
}

const urls = (count: number) => Array.from({ length: count }, (_, n) => `https://www.example.org/articles/${n + 1}`);
const mixed = [...urls(6), LINKS[0]?.url, urls(1)[0], 'Shopping list', 'mailto:jane@example.com'].join('\n');

/** States of the bulk page by name. */
export const MANY_STATES: Record<string, BulkGiven> = {
  empty: {},
  list: {
    text: mixed,
    queues: [queue({ connection: BATCHING })],
    titles: ['How to read a river', '', 'Winter timetable 2026/27 – all lines, all stops (PDF)'],
  },
  pasted: { text: LINKS.map(({ url }) => url).join('\n'), titles: LINKS.map(({ title }) => title) },
  'spec-only': { text: urls(35).join('\n'), queues: [queue({ connection: SPEC_ONLY, limits: limits(15) })] },
  thousand: { text: urls(1_200).join('\n'), queues: [queue({ connection: SPEC_ONLY })] },
  hostile: { text: `${HOSTILE_URL}\n${HOSTILE_WORDS}`, titles: [HOSTILE_TITLE] },
  'two-connections': { text: urls(3).join('\n'), queues: [queue(), queue({ connection: SECOND_CONNECTION })] },
  refused: { flash: t('manyNoTabs') },
  unconnected: { queues: [] },
};

export function manyIn(state: string) {
  return <BulkPage store={bulkStore(MANY_STATES[state] ?? {})} />;
}
