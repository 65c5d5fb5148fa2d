// Renders one state of one page: popup.html?state=ready&theme=dark&dir=rtl. Without a state it only names them all.
import './stubbed.ts';

import { render } from 'preact';
import { BROKEN_STATES, brokenIn } from './broken-states.tsx';
import { LINKS_STATES, linksIn } from './links-states.tsx';
import { OPTIONS_STATES, optionsIn } from './options-states.tsx';
import { POPUP_STATES, popupIn } from './popup-states.tsx';

const PAGES = {
  popup: { states: POPUP_STATES, show: popupIn },
  options: { states: OPTIONS_STATES, show: optionsIn },
  links: { states: LINKS_STATES, show: linksIn },
  broken: { states: BROKEN_STATES, show: brokenIn },
};

const asked = new URLSearchParams(location.search);
const name = location.pathname.replace(/^.*\/|\.html$/g, '') as keyof typeof PAGES;
const page = PAGES[name];
const state = asked.get('state');
const root = document.documentElement;
root.dir = asked.get('dir') ?? 'ltr';
root.dataset.theme = asked.get('theme') ?? 'system';
root.dataset.states = JSON.stringify(page.states);
// What most people's system font comes close to, where it is installed.
root.style.setProperty('--font', 'Inter, system-ui, sans-serif');
const app = document.getElementById('app');
if (state && app) render(page.show(state), app);
