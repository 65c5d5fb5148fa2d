// Runs before anything is painted, and so in no module: the theme last chosen, and how high the popup was last.
const root = document.documentElement;
const theme = localStorage.getItem('theme');
const height = localStorage.getItem('popupHeight');
if (theme) root.dataset.theme = theme;
if (height) root.style.setProperty('--last-height', `${Number(height)}px`);
if (location.search.includes('window')) root.classList.add('is-window');
