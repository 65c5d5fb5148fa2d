import { Links, type LinksProps } from '../../src/links/links.tsx';
import type { Link } from '../../src/queue/types.ts';
import { t } from '../../src/ui/strings.ts';
import { HOSTILE_TITLE, HOSTILE_URL, LINKS, link, NOW } from './fixtures.ts';

const REMOVED = LINKS[1] as Link;
const nothing = () => {};

export const DEFAULTS: LinksProps = {
  links: LINKS,
  hidden: new Set(),
  removed: null,
  problem: null,
  now: NOW,
  clipboard: { copied: null, copy: nothing },
  actions: {
    remove: nothing,
    undo: nothing,
    hold: nothing,
    clear: nothing,
    dismiss: nothing,
    open: nothing,
    exportCsv: nothing,
  },
};

/** A state of the links page: what it is given, and what is searched for. */
export const LINKS_STATES: Record<string, { props?: Partial<LinksProps>; query?: string }> = {
  some: {},
  none: { props: { links: [] } },
  found: { query: 'winter' },
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
  'not-copied': { props: { problem: { text: t('copyRefused'), url: REMOVED.shortUrl } } },
  'not-removed': {
    props: { removed: REMOVED, hidden: new Set([REMOVED.id]), problem: { text: t('refusal_storage_full') } },
  },
  hostile: { props: { links: [link({ title: HOSTILE_TITLE, url: HOSTILE_URL }), ...LINKS] } },
};

export function linksIn(state: string) {
  return <Links {...DEFAULTS} {...LINKS_STATES[state]?.props} />;
}
