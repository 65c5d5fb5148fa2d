import type { ComponentChildren } from 'preact';
import { Toasts } from '../../components/error-toast.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Announcer, ProjectLink } from '../../components/page-shell.tsx';
import { t } from '../../format/i18n.ts';
import { ConnectionsList } from './connection-rows.tsx';
import { DataSection } from './data-section.tsx';
import type { OptionsStore } from './options-store.ts';
import { GeneralSettings, LinkDefaults, type Shortcut, Shortcuts } from './settings-sections.tsx';

interface OptionsProps {
  store: OptionsStore;
  /** Empty if the browser supports no shortcuts, as in Firefox for Android. */
  shortcuts: Shortcut[];
  /** Keyword that the user types in the address bar to activate Terse. */
  keyword: string;
  version: string;
}

/** The options page. Links to its sections stay visible at the side, except in narrow windows. */
export function OptionsPage({ store, shortcuts, keyword, version }: OptionsProps) {
  const sections: [id: string, title: string, content: ComponentChildren][] = [
    ['connections', t('connections'), <ConnectionsList key="connections" store={store} />],
    ['general', t('behaviour'), <GeneralSettings key="general" store={store.settings} />],
    ['link-defaults', t('linkDefaults'), <LinkDefaults key="link-defaults" store={store.settings} />],
    ['shortcuts', t('shortcuts'), <Shortcuts key="shortcuts" {...{ shortcuts, keyword }} />],
    ['data', t('data'), <DataSection key="data" store={store} />],
  ];
  const shown = sections.filter(([id]) => id !== 'shortcuts' || shortcuts.length > 0);
  return (
    <>
      <PageHeader current="options" view={store.view.value} />
      <main class="page is-wide">
        <div class="page-head">
          <h1>{t('options')}</h1>
        </div>
        <div class="options">
          <nav class="section-nav" aria-label={t('options')}>
            <ul>
              {shown.map(([id, title]) => (
                <li key={id}>
                  <a href={`#${id}`}>{title}</a>
                </li>
              ))}
            </ul>
          </nav>
          <div class="sections">
            {shown.map(([id, title, content]) => (
              <section key={id} id={id} class="section" aria-labelledby={`${id}-title`}>
                <h2 id={`${id}-title`}>{title}</h2>
                {content}
              </section>
            ))}
            <footer class="actions help">
              <span>{t('version', version)}</span>
              <ProjectLink />
            </footer>
          </div>
        </div>
        <Toasts flash={store.flash} />
        <Announcer text={store.flash.value?.text ?? store.announced.value} />
      </main>
    </>
  );
}
