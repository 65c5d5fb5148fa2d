/// <reference types="vite/types/importMeta.d.ts" />
import { type ComponentChild, render } from 'preact';
import browser from '../browser/browser.ts';
import { type MessageKey, t } from '../format/i18n.ts';
import { useAutofocus } from './focus.ts';
import { Icon, Mark } from './icons.tsx';

/**
 * Message that replaces a page if its data cannot be read. It tells the user what to do, and shows the error for bug
 * reports.
 */
export function LoadError({ error }: { error: unknown }) {
  const again = useAutofocus<HTMLButtonElement>();
  const name = error instanceof Error || error instanceof DOMException ? error.name : '';
  return (
    <main class="broken">
      <Mark />
      <div role="alert">
        <h1>{t('broken')}</h1>
        <p>{t(name === 'VersionError' ? 'brokenNewer' : 'brokenOther')}</p>
      </div>
      <button ref={again} type="button" class="button is-primary" onClick={() => location.reload()}>
        {t('tryAgain')}
      </button>
      <p class="help">
        <bdi>{name}</bdi>
      </p>
    </main>
  );
}

/**
 * Sets a page's language, direction and title, and renders the result of `load`. If the data cannot be read,
 * the page shows an error instead of staying blank.
 */
export async function openPage(title: MessageKey, load: () => Promise<ComponentChild>): Promise<void> {
  if (isInPrivateWindow() && browser.windows) return moveToNormalWindow();
  const root = document.documentElement;
  root.lang = t('languageTag');
  // Uses the text direction of the translation, because the browser's language may have no translation.
  root.dir = t('textDirection');
  document.title = t(title);
  const page = await load().catch((error: unknown) => <LoadError error={error} />);
  const app = document.getElementById('app') as HTMLElement;
  // Removes the placeholder of the HTML file, which has the layout of the page.
  app.replaceChildren();
  render(page, app);
}

/**
 * True for a page in a private Firefox window, except the popup. There, the extension cannot open its database.
 */
function isInPrivateWindow(): boolean {
  return (browser.extension.inIncognitoContext ?? false) && !location.pathname.includes('/popup/');
}

async function moveToNormalWindow(): Promise<void> {
  await browser.windows.create({ url: location.href });
  const { id } = await browser.tabs.getCurrent();
  if (id !== undefined) await browser.tabs.remove(id);
}

/**
 * Badge in the header of the popup of a private window. If `isSmall` is true, the badge is an icon with the text as its
 * tooltip and label.
 */
export function PrivateChip({ isSmall = false }: { isSmall?: boolean }) {
  return (
    <span class="chip" title={isSmall ? t('privateNote') : undefined}>
      <Icon name="private" />
      <span class={isSmall ? 'visually-hidden' : ''}>{t('privateNote')}</span>
    </span>
  );
}

/**
 * Live region for screen readers. It is always in the page, because screen readers do not read a region that appears
 * together with its text.
 */
export function Announcer({ text }: { text: string }) {
  return (
    <p class="visually-hidden" role="status" aria-live="polite">
      {text}
    </p>
  );
}

/** Link to the project's public address, which is set at build time. Renders nothing if no address is set. */
export function ProjectLink() {
  const address = import.meta.env.VITE_PROJECT_URL;
  if (!address) return null;
  return (
    <a class="text-button" href={address} target="_blank" rel="noreferrer">
      <Icon name="open" />
      {t('aboutProject')}
    </a>
  );
}
