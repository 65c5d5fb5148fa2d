import { t } from '../ui/strings.ts';

/** A command of the manifest and the keys it has now; empty where it has none. */
export interface Shortcut {
  description: string;
  keys: string;
}

/** The keys there are, and the way to the browser's own page that changes them. */
export function ShortcutsSection({ shortcuts, change }: { shortcuts: Shortcut[]; change: () => void }) {
  return (
    <section class="card" aria-labelledby="shortcuts-title">
      <h2 id="shortcuts-title">{t('shortcuts')}</h2>
      <dl class="shortcuts">
        {shortcuts.map(({ description, keys }) => (
          <div key={description} class="shortcut">
            <dt>{description}</dt>
            <dd>{keys ? <kbd>{keys}</kbd> : <span class="help">{t('shortcutNone')}</span>}</dd>
          </div>
        ))}
      </dl>
      <button type="button" class="button" onClick={change}>
        {t('changeShortcuts')}
      </button>
    </section>
  );
}
