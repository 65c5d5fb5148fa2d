import { enableChart } from './click-chart.js';
import { enableCopying } from './copy-buttons.js';
import { followImport } from './import-progress.js';

// Everything works without this; it makes some of it quicker.

keepTimeZone();
showConnectionLink();
enableCopying();
enableChart();
followImport();

/** Keeps the browser's time zone in a cookie, so that the server can write times, and read them, as this person does. */
export function keepTimeZone() {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing on pages that came over plain http
  if (zone) document.cookie = `terse-zone=${zone}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
}

/**
 * Explains a connection link to somebody who has opened it. Its key is in the fragment, which browsers never send; it is
 * removed from the address bar and the history, and kept on the copy button alone.
 */
export function showConnectionLink() {
  if (!/^#key=./.test(location.hash)) return;
  const notice = document.getElementById('connection-link');
  if (!notice) return;
  const link = `${location.origin}/${location.hash}`;
  history.replaceState(null, '', location.pathname + location.search);
  notice.querySelector('[data-copy]').dataset.copy = link;
  notice.hidden = false;
}
