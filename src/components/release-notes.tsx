import { useState } from 'preact/hooks';
import browser from '../browser/browser.ts';
import { t } from '../format/i18n.ts';
import { IconButton } from './icons.tsx';

/** The release that the note tells of. A release that has nothing to tell leaves it as it is. */
export const NEWS_OF = '0.2.0';

const KEY = 'updatedFrom';

/** Whether there is something new to tell: an update came from a version that did not have it, and nobody has read it. */
export async function readHasReleaseNotes(): Promise<boolean> {
  const { [KEY]: from } = await browser.storage.local.get(KEY);
  return typeof from === 'string' && new Intl.Collator('en', { numeric: true }).compare(from, NEWS_OF) < 0;
}

/** One quiet line after an update, until it is put away. */
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
