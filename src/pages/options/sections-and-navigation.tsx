import type { ComponentChildren } from 'preact';
import { t } from '../../format/i18n.ts';

/** Message keys of the section titles, by section id. */
const TITLES = {
  connections: 'connections',
  general: 'behaviour',
  'link-defaults': 'linkDefaults',
  shortcuts: 'shortcuts',
  data: 'data',
} as const;

type SectionId = keyof typeof TITLES;

/** A section of the page with its heading. */
export function Section({ id, children }: { id: SectionId; children: ComponentChildren }) {
  return (
    <section id={id} class="section" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{t(TITLES[id])}</h2>
      {children}
    </section>
  );
}

/**
 * Links to the sections. They stay visible while the page scrolls. In narrow windows, they are hidden for lack of
 * space.
 */
export function SectionNav({ hidden }: { hidden: SectionId[] }) {
  const ids = (Object.keys(TITLES) as SectionId[]).filter((id) => !hidden.includes(id));
  return (
    <nav class="section-nav" aria-label={t('options')}>
      <ul>
        {ids.map((id) => (
          <li key={id}>
            <a href={`#${id}`}>{t(TITLES[id])}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
