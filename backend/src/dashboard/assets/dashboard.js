import { enableChart } from './click-chart.js';
import { enableCopying } from './copy-buttons.js';
import { followImport } from './import-progress.js';
import { enableMenus } from './menus.js';
import { enableNewLink } from './new-link.js';
import { enablePanels } from './panels.js';
import { enableSelection } from './selection.js';

// All pages also work without JavaScript.

keepTimeZone();
showConnectionLink();
enableCopying();
enableChart();
enableMenus();
enablePanels();
enableNewLink();
enableSelection();
followImport();

/** Stores the browser's time zone in a cookie, so that the server can display local times. */
export function keepTimeZone() {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  // The prefix `__Host-` prevents other hosts from setting the cookie. Browsers accept this prefix only over https.
  const [prefix, secure] = location.protocol === 'https:' ? ['__Host-', '; Secure'] : ['', ''];
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing on pages that came over plain http
  if (zone) document.cookie = `${prefix}terse-zone=${zone}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
}

/**
 * Shows a notice if the user opened a connection link, which contains an API key: `https://example.com/#key=…`.
 * Removes the API key from the address bar and the browser history.
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
