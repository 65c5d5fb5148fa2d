// Applies the last theme and popup height before the first paint. Modules run too late for that.
const root = document.documentElement;
const theme = localStorage.getItem('theme');
const height = localStorage.getItem('popupHeight');
if (theme) root.dataset.theme = theme;
if (height) root.style.setProperty('--last-height', `${Number(height)}px`);
if (location.search.includes('window')) root.classList.add('is-window');
