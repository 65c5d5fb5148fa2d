import { useState } from 'preact/hooks';
import browser from '../browser/browser.ts';
import { t } from '../format/i18n.ts';
import { IconButton } from './icons.tsx';

/** Version that the note describes. A release without news leaves it unchanged. */
export const NEWS_OF = '0.2.0';

const KEY = 'updatedFrom';

/** True if the user updated from a version before this one and has not dismissed the note. */
export async function readHasReleaseNotes(): Promise<boolean> {
  const { [KEY]: from } = await browser.storage.local.get(KEY);
  return typeof from === 'string' && new Intl.Collator('en', { numeric: true }).compare(from, NEWS_OF) < 0;
}

/** A line about the new version, shown after an update until it is dismissed. */
export function ReleaseNotes({ hasNews }: { hasNews: boolean }) {
  const [shown, show] = useState(hasNews);
  if (!shown) return null;
  const dismiss = () => {
    show(false);
    void browser.storage.local.remove(KEY);
  };
  return (
    <p class="news">
      <span>{t('news')}</span>
      <IconButton icon="close" name={t('dismiss')} press={dismiss} />
    </p>
  );
}
