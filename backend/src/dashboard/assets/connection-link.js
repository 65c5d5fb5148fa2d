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
