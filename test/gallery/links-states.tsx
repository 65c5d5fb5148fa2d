import { t } from '../../src/format/i18n.ts';
import { serviceProblemMessage as problemSentence } from '../../src/format/status-text.ts';
import { IDLE, type SyncState } from '../../src/link-sync/use-service-sync.ts';
import { LinksPage, type LinksPageProps } from '../../src/pages/links/links-page.tsx';
import type { Connection, Link } from '../../src/queue/types.ts';
import type { Clicks } from '../../src/servers/adapter.ts';
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

const REMOVED = LINKS[1] as Link;
const nothing = () => {};
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

const { listRead: _, ...NEVER_READ } = LISTING;

/** A second connection, to a server that does not list its links. */
const SPEC_ONLY_TOO: Connection = { ...SECOND_CONNECTION, service: null };

const DAY = 86_400_000;

const CLICKS: Clicks = {
  from: NOW - 29 * DAY,
  to: NOW,
  clicks: 243,
  visitors: 190,
  bots: 12,
  series: Array.from({ length: 30 }, (_, index) => ({
    start: NOW - (29 - index) * DAY,
    clicks: index % 9 === 0 ? 0 : (index * 7) % 23,
  })),
  referrers: [
    { name: 'news.example.com', clicks: 120 },
    { name: HOSTILE_TITLE, clicks: 3 },
  ],
};

const NO_CLICKS: Clicks = {
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

const listed = (props: Partial<LinksPageProps> = {}) => ({ links: LISTED, view: viewOf([LISTING]), ...props });

const viewOf = (connections: Connection[]) => queuesView(connections.map((connection) => queue({ connection })));

const inState = (state: Partial<SyncState>) => new Map([[LISTING.id, { ...IDLE, ...state }]]);

export const DEFAULTS: LinksPageProps = {
  links: LINKS,
  hidden: new Set(),
  removed: [],
  complete: true,
  view: queuesView(),
  history: new Map(),
  flash: null,
  now: NOW,
  clipboard: { copied: null, copy: nothing },
  handlers: {
    remove: nothing,
    undo: nothing,
    hold: nothing,
    edit: async () => null,
    readClicks: async () => CLICKS,
    readAgain: nothing,
    allowAccess: async () => {},
    tell: nothing,
    dismiss: nothing,
    open: nothing,
    openOptions: nothing,
    exportCsv: nothing,
  },
};

/** States of the links page by name, with properties, the controls to press and the search text. */
export const LINKS_STATES: Record<
  string,
  { props?: Partial<LinksPageProps>; press?: string | string[]; query?: string; shows?: string }
> = {
  some: {},
  none: { props: { links: [] } },
  found: { query: 'winter' },
  qr: { press: [MORE, t('qrTitle')] },
  menu: { props: listed(), press: t('moreNamed', 'https://go.example/winter-plan') },
  selected: { props: listed(), press: t('selectNamed', 'A field guide to slow software') },
  'selected-all': { props: listed(), press: t('selectAll') },
  deleting: { props: listed(), press: [t('selectAll'), t('delete')] },
  'no-connection': { props: { links: [], view: queuesView([]) } },
  waiting: { props: { links: [], view: queuesView([queue({ requests: [request(), request()] })]) } },
  'two-connections': {
    props: {
      view: viewOf([CONNECTION, SECOND_CONNECTION]),
      links: LINKS.map((one, index) => ({
        ...one,
        ...(index % 2 === 0
          ? { connectionId: CONNECTION.id }
          : { connectionId: SECOND_CONNECTION.id, shortUrl: one.shortUrl.replace('go.example', 's.company.example') }),
      })),
    },
  },
  'none-found': { query: 'summer' },
  many: {
    props: {
      links: Array.from({ length: 2340 }, (_, index) => LINKS[index % 5] ?? link()).map((one, index) => ({
        ...one,
        id: `many-${index}`,
      })),
    },
  },
  removed: { props: { removed: [REMOVED], hidden: new Set([REMOVED.id]) } },
  'not-copied': { props: { flash: { text: t('copyRefused'), url: REMOVED.shortUrl } } },
  'not-removed': {
    props: { removed: [REMOVED], hidden: new Set([REMOVED.id]), flash: { text: t('refusal_storage_full') } },
  },
  listed: { props: listed() },
  reading: { props: listed({ history: inState({ reading: 1_200 }) }) },
  'cut-and-unreadable': {
    props: listed({ view: viewOf([{ ...LISTING, listRead: { at: NOW - 5_000, unreadable: 3, isCut: true } }]) }),
  },
  'not-readable': { props: listed({ history: inState({ problem: 'forbidden' }) }) },
  'not-reachable': { props: listed({ history: inState({ problem: 'unreachable' }) }) },
  'not-allowed': { props: listed({ history: inState({ problem: 'permission' }) }) },
  refused: { props: listed({ history: inState({ problem: 'unauthorized' }) }) },
  editing: { props: listed(), press: [MORE, t('edit')], shows: '.edit[open]' },
  clicks: { props: listed(), press: [MORE, t('clicksTitle')], shows: '.chart' },
  'clicks-none': {
    props: {
      ...listed(),
      handlers: { ...DEFAULTS.handlers, readClicks: async () => NO_CLICKS },
    },
    press: [t('moreNamed', 'https://go.example/winter-plan'), t('clicksTitle')],
    shows: '.chart',
  },
  'clicks-unread': {
    props: {
      ...listed(),
      handlers: { ...DEFAULTS.handlers, readClicks: async () => problemSentence('unreachable', 'go.example', 'read') },
    },
    press: [MORE, t('clicksTitle')],
    shows: '.clicks .problem',
  },
  'first-reading': {
    props: listed({
      links: [],
      view: viewOf([NEVER_READ]),
      history: inState({ reading: 0 }),
    }),
  },
  warned: {
    props: {
      links: LINKS.map((one, index) => ({
        ...one,
        ...(index === 1 && { shortUrl: 'https://tiny.elsewhere.example/winter-plan' }),
      })),
    },
  },
  deleted: { props: listed({ removed: LISTED.slice(0, 3), hidden: new Set(LISTED.slice(0, 3).map(({ id }) => id)) }) },
  'two-services': {
    props: listed({
      view: viewOf([LISTING, SPEC_ONLY_TOO]),
      links: LISTED.map((one, index) => (index === 0 ? { ...one, connectionId: SPEC_ONLY_TOO.id } : one)),
    }),
  },
  hostile: {
    props: {
      links: [link({ title: HOSTILE_TITLE, url: HOSTILE_URL, tags: [HOSTILE_WORDS, HOSTILE_TITLE] }), ...LINKS],
    },
  },
};

export function linksIn(state: string) {
  return <LinksPage {...DEFAULTS} {...LINKS_STATES[state]?.props} />;
}
