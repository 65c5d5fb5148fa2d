import { enableChart } from './click-chart.js';
import { enableCopying } from './copy-buttons.js';
import { followImport } from './import-progress.js';

// All pages also work without this script.

keepTimeZone();
showConnectionLink();
enableCopying();
enableChart();
followImport();

/** Stores the browser's time zone in a cookie, so that the server formats and parses times in it. */
export function keepTimeZone() {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing on pages that came over plain http
  if (zone) document.cookie = `terse-zone=${zone}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
}

/**
 * Explains a connection link to a user who opened it. Its API key is in the fragment, which browsers never send. This
 * removes it from the address bar and the history, and stores it in the copy button.
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
