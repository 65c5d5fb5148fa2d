import { useState } from 'preact/hooks';
import browser from '../browser/browser.ts';
import { t } from '../format/i18n.ts';
import { IconButton } from './icons.tsx';

/** Version that the release note describes. A release without a release note does not change this version. */
export const NEWS_OF = '0.2.0';

const KEY = 'updatedFrom';

/** True if the user updated from a version before `NEWS_OF` and has not dismissed the release note. */
export async function readHasReleaseNotes(): Promise<boolean> {
  const { [KEY]: from } = await browser.storage.local.get(KEY);
  return typeof from === 'string' && new Intl.Collator('en', { numeric: true }).compare(from, NEWS_OF) < 0;
}

/** A line about the new version. It is shown after an update, until the user dismisses it. */
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
