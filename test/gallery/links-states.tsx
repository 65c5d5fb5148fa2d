import type { Analytics } from '@terse/contract/analytics';
import { t } from '../../src/format/i18n.ts';
import { LinksPage } from '../../src/pages/links/links-page.tsx';
import {
  createLinksStore,
  type LinksDeps,
  type LinksStart,
  type LinksStore,
  type SyncState,
} from '../../src/pages/links/links-store.ts';
import type { Connection, Link } from '../../src/queue/types.ts';
import { serviceFailure } from '../../src/servers/adapter.ts';
import {
  CONNECTION,
  HOSTILE_TITLE,
  HOSTILE_URL,
  HOSTILE_WORDS,
  LINKS,
  link,
  NOW,
  queue,
  queuesView,
  request,
  SECOND_CONNECTION,
} from './fixtures.ts';
import type { Steps } from './look/reach.ts';
import { testDeps } from './page-deps.ts';

const REMOVED = LINKS[1] as Link;
const MORE = t('moreNamed', 'https://go.example/Kx3f9Qp');

/** A server that lists links, edits links and counts clicks. The extension read its list some time ago. */
const LISTING: Connection = {
  ...CONNECTION,
  service: {
    name: 'Terse',
    shortBaseUrl: 'https://go.example',
    features: ['links', 'edit', 'analytics', 'key', 'tags'],
  },
  listRead: { at: NOW - 12 * 60_000, unreadable: 0, isCut: false },
};

/** A second connection, to a server that does not list its links. */
const SPEC_ONLY_TOO: Connection = { ...SECOND_CONNECTION, service: null };

const DAY = 86_400_000;

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

const CLICKS: Analytics = {
  shortCode: 'a',
  from: dayOf(NOW - 29 * DAY),
  to: dayOf(NOW),
  interval: 'day',
  clicks: 243,
  visitors: 190,
  bots: 12,
  series: Array.from({ length: 30 }, (_, index) => ({
    start: new Date(NOW - (29 - index) * DAY).toISOString(),
    clicks: index % 9 === 0 ? 0 : (index * 7) % 23,
    visitors: 1,
    bots: 0,
  })),
  referrers: [
    { name: 'news.example.com', clicks: 120 },
    { name: HOSTILE_TITLE, clicks: 3 },
  ],
  ...{ browsers: [], systems: [], devices: [], countries: [] },
};

const NO_CLICKS: Analytics = {
  ...CLICKS,
  clicks: 0,
  visitors: 0,
  bots: 0,
  series: CLICKS.series.map((one) => ({ ...one, clicks: 0 })),
  referrers: [],
};

/** Tags of the listed links: some, one, the maximum number, tags in another text direction, and none. */
const LONG_TAG = 'Donaudampfschifffahrtsgesellschaft';
const TAGS = [
  ['software', 'long reads'],
  ['timetables'],
  [...Array.from({ length: 8 }, (_, index) => `mountain hut ${index + 1}`), LONG_TAG, 'a'],
  ['قهوة', 'Αθήνα'],
];

/**
 * Links that were created in this browser and elsewhere: clicked, expired, about to expire, and deleted on the
 * server.
 */
const LISTED: Link[] = LINKS.map((one, index) => ({
  ...one,
  clicks: [12_345, 0, 7, 1, 32][index] ?? 0,
  ...(index % 2 === 1 && { elsewhere: true as const }),
  ...(index === 2 && { expiresAt: NOW + 3 * DAY }),
  ...(index === 3 && { expiresAt: NOW - DAY }),
  ...(index === 4 && { unlisted: true as const }),
  tags: TAGS[index] ?? [],
}));

const viewOf = (connections: Connection[]) => queuesView(connections.map((connection) => queue({ connection })));

/** Everything that a state of the page starts with. */
export interface LinksGiven extends Partial<LinksStart> {
  /** Progress of reading the first connection's list. */
  sync?: SyncState;
  /** Links that the user has just deleted. */
  deleted?: Link[];
  flash?: LinksStore['flash']['value'];
}

const listed = (given: LinksGiven = {}): LinksGiven => ({ links: LISTED, view: viewOf([LISTING]), ...given });

/** States of the links page by name, with the controls to press and the search text. */
export const LINKS_STATES: Record<string, Steps & { given?: LinksGiven; deps?: Partial<LinksDeps> }> = {
  some: {},
  clicked: { given: listed({ links: LINKS.map((one, index) => ({ ...one, clicks: 886 - 170 * index })) }) },
  none: { given: { links: [] } },
  found: { query: 'winter' },
  qr: { press: [MORE, t('qrTitle')], shows: 'img.qr' },
  menu: { given: listed(), press: t('moreNamed', 'https://go.example/winter-plan') },
  selected: { given: listed(), press: t('selectNamed', 'A field guide to slow software') },
  waiting: { given: { links: [], view: queuesView([queue({ requests: [request(), request()] })]) } },
  'two-connections': {
    given: {
      view: viewOf([CONNECTION, SECOND_CONNECTION]),
      links: LINKS.map((one, index) => ({
        ...one,
        ...(index % 2 === 0
          ? { connectionId: CONNECTION.id }
          : { connectionId: SECOND_CONNECTION.id, shortUrl: one.shortUrl.replace('go.example', 's.company.example') }),
      })),
    },
  },
  many: {
    given: {
      links: Array.from({ length: 2340 }, (_, index) => LINKS[index % 5] ?? link()).map((one, index) => ({
        ...one,
        id: `many-${index}`,
      })),
    },
  },
  'not-copied': { given: { flash: { text: t('copyRefused'), url: REMOVED.shortUrl } } },
  listed: { given: listed() },
  reading: { given: listed({ sync: 1_200 }) },
  'cut-and-unreadable': {
    given: listed({ view: viewOf([{ ...LISTING, listRead: { at: NOW - 5_000, unreadable: 3, isCut: true } }]) }),
  },
  'not-readable': { given: listed({ sync: 'forbidden' }) },
  'not-reachable': { given: listed({ sync: 'unreachable' }) },
  refused: { given: listed({ sync: 'unauthorized' }) },
  editing: { given: listed(), press: [MORE, t('edit')], shows: 'dialog[open]' },
  clicks: { given: listed(), press: [MORE, t('clicksTitle')], shows: '.chart' },
  'clicks-none': {
    given: listed(),
    deps: { readClicks: async () => NO_CLICKS },
    press: [t('moreNamed', 'https://go.example/winter-plan'), t('clicksTitle')],
    shows: '.chart',
  },
  'clicks-unread': {
    given: listed(),
    deps: { readClicks: async () => serviceFailure('unreachable') },
    press: [MORE, t('clicksTitle')],
    shows: '.clicks .problem',
  },
  warned: {
    given: {
      links: LINKS.map((one, index) => ({
        ...one,
        ...(index === 1 && { shortUrl: 'https://tiny.elsewhere.example/winter-plan' }),
      })),
    },
  },
  deleted: { given: listed({ deleted: LISTED.slice(0, 3) }) },
  'two-services': {
    given: listed({
      view: viewOf([LISTING, SPEC_ONLY_TOO]),
      links: LISTED.map((one, index) => (index === 0 ? { ...one, connectionId: SPEC_ONLY_TOO.id } : one)),
    }),
  },
  hostile: {
    given: {
      links: [
        link({ title: HOSTILE_TITLE, url: HOSTILE_URL, tags: [HOSTILE_WORDS, HOSTILE_TITLE] }),
        link({ tags: Array.from({ length: 5_000 }, (_, index) => `tag ${index}`) }),
        ...LINKS,
      ],
    },
  },
};

/** Creates dependencies of the links page that do nothing. */
function linksDeps(): LinksDeps {
  return {
    ...testDeps(),
    deleteLinks: async () => ({ ok: true as const, value: [] }),
    editLink: async () => null,
    readClicks: async () => CLICKS,
    saveFile: () => {},
  };
}

/** Creates the store of a state. */
export function linksStore(given: LinksGiven = {}, deps: Partial<LinksDeps> = {}) {
  const { sync, deleted = [], flash = null, links = LINKS, view = queuesView(), ...start } = given;
  const stored = { readLinks: async () => links, readQueues: async () => view };
  const store = createLinksStore({ ...linksDeps(), ...stored, ...deps }, { ...start, links, view });
  const [connection] = store.connections.value;
  if (sync !== undefined && connection) store.syncs.value = new Map([[connection.id, sync]]);
  if (deleted.length > 0) store.remove(deleted);
  store.flash.value = flash;
  return store;
}

export function linksIn(state: string) {
  const { given, deps } = LINKS_STATES[state] ?? {};
  return <LinksPage store={linksStore(given, deps)} />;
}
