// Applies the last height of the popup before the first paint. Modules run too late for that.
const root = document.documentElement;
const height = localStorage.getItem('popupHeight');
if (height) root.style.setProperty('--last-height', `${Number(height)}px`);
if (location.search.includes('window')) root.classList.add('is-window');
