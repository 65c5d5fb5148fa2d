/**
 * Tells somebody who opened a connection link what it is for. Its key stands in the fragment, which browsers never
 * send; it is taken out of the address bar and of the history, and kept on the button alone.
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
