import type { ComponentChildren } from 'preact';
import browser from '../../browser/browser.ts';
import { Toasts } from '../../components/error-toast.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Announcer, ProjectLink } from '../../components/page-shell.tsx';
import { SettingSwitch } from '../../components/setting-switch.tsx';
import type { SettingsStore } from '../../components/settings-store.ts';
import { t } from '../../format/i18n.ts';
import { EXPIRIES } from '../../queue/sending.ts';
import { ConnectionsList } from './connection-rows.tsx';
import { DataSection } from './data-section.tsx';
import type { OptionsStore } from './options-store.ts';

/** The options page. Links to its sections stay visible at the side, except in narrow windows. */
export function OptionsPage({ store, version }: { store: OptionsStore; version: string }) {
  const sections: [id: string, title: string, content: ComponentChildren][] = [
    ['connections', t('connections'), <ConnectionsList key="connections" store={store} />],
    ['general', t('behaviour'), <GeneralSettings key="general" store={store.settings} />],
    ['link-defaults', t('linkDefaults'), <LinkDefaults key="link-defaults" store={store.settings} />],
    ['data', t('data'), <DataSection key="data" store={store} />],
  ];
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
              {sections.map(([id, title]) => (
                <li key={id}>
                  <a href={`#${id}`}>{title}</a>
                </li>
              ))}
            </ul>
          </nav>
          <div class="sections">
            {sections.map(([id, title, content]) => (
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

/** Settings for behavior. Every change is saved immediately. */
function GeneralSettings({ store }: { store: SettingsStore }) {
  return (
    <div class="card is-list">
      <SettingSwitch name="shortenOnOpen" store={store} />
      <SettingSwitch name="autoCopy" store={store} />
      <SettingSwitch name="notifications" store={store} />
      {browser.commands && (
        <div class="setting">
          <button type="button" class="text-button" onClick={() => void openShortcuts()}>
            {t('changeShortcuts')}
          </button>
        </div>
      )}
    </div>
  );
}

/** Defaults for new links. The form in the popup can override them for one link. */
function LinkDefaults({ store }: { store: SettingsStore }) {
  const { expiry } = store.settings.value;
  return (
    <div class="card is-list">
      <SettingSwitch name="removeTracking" store={store} />
      <SettingSwitch name="dropTextFragment" store={store} />
      <SettingSwitch name="saveTitles" store={store} />
      <div class="setting">
        <label for="expiry">{t('expiry')}</label>
        <select
          id="expiry"
          class="input"
          value={expiry}
          onChange={({ currentTarget: { value } }) =>
            store.change({ expiry: EXPIRIES.find((one) => one === value) ?? 'never' })
          }
        >
          {EXPIRIES.map((one) => (
            <option key={one} value={one}>
              {t(`expiry_${one}`)}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}

/** Opens the browser's page for changing shortcuts. Chrome has no function for it, but the page has an address. */
async function openShortcuts(): Promise<void> {
  if ('openShortcutSettings' in browser.commands) await browser.commands.openShortcutSettings();
  else await browser.tabs.create({ url: 'chrome://extensions/shortcuts' });
}
