import { type ComponentChild, render } from 'preact';
import { Broken } from './broken.tsx';
import { type MessageKey, t } from './strings.ts';
import { paintTheme } from './theme.ts';

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
  const page = await load().catch((error: unknown) => <Broken error={error} />);
  const app = document.getElementById('app') as HTMLElement;
  // What the HTML shows until here has the page's shape: replaced within one frame, nothing moves.
  app.replaceChildren();
  render(page, app);
}
