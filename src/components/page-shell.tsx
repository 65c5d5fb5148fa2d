import { type ComponentChild, render } from 'preact';
import { useCallback, useState } from 'preact/hooks';
import { type MessageKey, t } from '../format/i18n.ts';
import { useAutofocus } from './hooks/use-autofocus.ts';
import { paintTheme } from './hooks/use-settings-and-theme.ts';
import { Icon, Mark } from './icons.tsx';

/** In place of a page whose data cannot be read: says so, what to do about it, and the error's name for who is asked. */
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
 * Gives a page its language, direction, theme and title, and renders what `load` makes of its data. Data that cannot be
 * read is said: a page is never blank.
 */
export async function openPage(title: MessageKey, load: () => Promise<ComponentChild>): Promise<void> {
  const root = document.documentElement;
  root.lang = t('languageTag');
  // The direction of the strings, not of the browser: they are not there in every language the browser speaks.
  root.dir = t('textDirection');
  document.title = t(title);
  paintTheme();
  const page = await load().catch((error: unknown) => <LoadError error={error} />);
  const app = document.getElementById('app') as HTMLElement;
  // What the HTML shows until here has the page's shape: replaced within one frame, nothing moves.
  app.replaceChildren();
  render(page, app);
}

/** In the head of what shows what belongs to private windows. `isSmall`: its words are heard, and shown on pointing alone. */
export function PrivateChip({ isSmall = false }: { isSmall?: boolean }) {
  return (
    <span class="chip" title={isSmall ? t('privateNote') : undefined}>
      <Icon name="private" />
      <span class={isSmall ? 'visually-hidden' : ''}>{t('privateNote')}</span>
    </span>
  );
}

/** Says changes to who cannot see them. Always in the page: a live region that appears with its text is not read. */
export function Announcer({ text }: { text: string }) {
  return (
    <p class="visually-hidden" role="status" aria-live="polite">
      {text}
    </p>
  );
}

/** The text of an announcer, and how to say something. Only a changed text is read, so a repeated one ends with a space. */
export function useAnnounced(): [string, (text: string) => void] {
  const [announced, setAnnounced] = useState('');
  const announce = useCallback(
    (text: string) => setAnnounced((before) => (before === text ? `${text}\u00A0` : text)),
    [],
  );
  return [announced, announce];
}
