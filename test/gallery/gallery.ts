import './spoken.ts';
import { render } from 'preact';
import { t } from '../../src/format/i18n.ts';
import { MANY_STATES, manyIn } from './bulk-states.tsx';
import { LINKS_STATES, linksIn } from './links-states.tsx';
import { OPTIONS_STATES, optionsIn } from './options-states.tsx';
import { BROKEN_STATES, brokenIn } from './other-states.tsx';
import { POPUP_STATES, popupIn } from './popup-states.tsx';
import { QUEUE_STATES, queueIn } from './queue-states.tsx';
import type { PageName } from './shots.ts';
import { WELCOME_STATES, welcomeIn } from './welcome-states.tsx';

// Renders one state of one page, as in popup.html?state=ready&dir=rtl&lang=de. All states are listed in
// the attribute `data-states`. The global function `show` renders another state from scratch, and `change` updates
// the current page to another state.

const PAGES = {
  popup: { states: POPUP_STATES, show: popupIn },
  options: { states: OPTIONS_STATES, show: optionsIn },
  links: { states: LINKS_STATES, show: linksIn },
  many: { states: MANY_STATES, show: manyIn },
  welcome: { states: WELCOME_STATES, show: welcomeIn },
  queue: { states: QUEUE_STATES, show: queueIn },
  broken: { states: BROKEN_STATES, show: brokenIn },
} satisfies Record<PageName, object>;

const asked = new URLSearchParams(location.search);
const name = location.pathname.replace(/^.*\/|\.html$/g, '') as PageName;
const page = PAGES[name];
const state = asked.get('state');
const root = document.documentElement;
root.lang = t('languageTag');
root.dir = asked.get('dir') ?? t('textDirection');
root.dataset.states = JSON.stringify(page.states);
// Inter, if installed, resembles most system fonts.
root.style.setProperty('--font', 'Inter, system-ui, sans-serif');
const app = document.getElementById('app');

function show(wanted: string): void {
  if (!app) return;
  render(null, app);
  scrollTo(0, 0);
  render(page.show(wanted), app);
}

function change(wanted: string): void {
  if (app) render(page.show(wanted), app);
}

Object.assign(globalThis, { show, change });
if (state) show(state);
