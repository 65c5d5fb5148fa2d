import { Mark } from './icons.tsx';
import { t } from './strings.ts';
import { useFocus } from './use-focus.ts';

/** In place of a page whose data cannot be read: says so, what to do about it, and the error's name for who is asked. */
export function Broken({ error }: { error: unknown }) {
  const again = useFocus<HTMLButtonElement>();
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
