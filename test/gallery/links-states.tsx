import { Links, type LinksProps } from '../../src/links/links.tsx';
import type { Link } from '../../src/queue/types.ts';
import { listRequests } from '../../src/ui/listed-requests.ts';
import { t } from '../../src/ui/strings.ts';
import {
  CONNECTION,
  HOSTILE_TITLE,
  HOSTILE_URL,
  LINKS,
  link,
  NOW,
  queue,
  queuesView,
  request,
  SECOND_CONNECTION,
  TIME,
} from './fixtures.ts';

const REMOVED = LINKS[1] as Link;
const nothing = () => {};

export const DEFAULTS: LinksProps = {
  links: LINKS,
  hidden: new Set(),
  removed: null,
  complete: true,
  requests: [],
  connections: [CONNECTION],
  flash: null,
  now: NOW,
  clipboard: { copied: null, copy: nothing },
  handlers: {
    remove: nothing,
    undo: nothing,
    hold: nothing,
    clear: nothing,
    dismiss: nothing,
    open: nothing,
    openOptions: nothing,
    exportCsv: nothing,
  },
};

/** Requests that wait for the network. */
function waiting(count: number) {
  const requests = Array.from({ length: count }, (_, index) =>
    request({ id: `waiting-${index}`, url: `https://example.org/${index}`, title: `Page ${index}` }),
  );
  return listRequests(queuesView([queue({ requests })]), TIME, false);
}

/** A state of the links page: what it is given, which button is pressed, and what is searched for. */
export const LINKS_STATES: Record<string, { props?: Partial<LinksProps>; press?: string; query?: string }> = {
  some: {},
  none: { props: { links: [] } },
  found: { query: 'winter' },
  clearing: { press: 'Clear all' },
  qr: { press: 'QR code of https://go.example/Kx3f9Qp' },
  waiting: { props: { links: [], requests: waiting(30) } },
  'two-connections': {
    props: {
      connections: [CONNECTION, SECOND_CONNECTION],
      links: LINKS.map((one, index) => ({
        ...one,
        ...(index % 2 === 0
          ? { connectionId: CONNECTION.id }
          : { connectionId: SECOND_CONNECTION.id, shortUrl: one.shortUrl.replace('go.example', 's.company.example') }),
      })),
      requests: waiting(2),
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
  removed: { props: { removed: REMOVED, hidden: new Set([REMOVED.id]) } },
  'not-copied': { props: { flash: { text: t('copyRefused'), url: REMOVED.shortUrl } } },
  'not-removed': {
    props: { removed: REMOVED, hidden: new Set([REMOVED.id]), flash: { text: t('refusal_storage_full') } },
  },
  hostile: { props: { links: [link({ title: HOSTILE_TITLE, url: HOSTILE_URL }), ...LINKS] } },
};

export function linksIn(state: string) {
  return <Links {...DEFAULTS} {...LINKS_STATES[state]?.props} />;
}
