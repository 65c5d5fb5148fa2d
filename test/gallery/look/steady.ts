import type { Page } from 'playwright-core';

/** States of the popup from the page to the finished link. Their main button has the same position in all of them. */
const ONE_BUTTON = [
  ...['ready', 'asking', 'sending', 'throttled', 'done', 'done-copy-refused', 'done-other-host', 'earlier'],
  ...['existing-handed', 'typed', 'user-info', 'minted-sending'],
];

/** States with a message instead of the main button. Their buttons are at the bottom of the main area. */
const MESSAGES = [
  ...['offline', 'unreachable', 'unknown', 'busy', 'delayed', 'uncertain', 'failed', 'failed-target'],
  ...[
    'minted-offline',
    'minted-quota',
    'minted-unreachable',
    'failed-code',
    'lost',
    'refused',
    'blocked-browser',
    'other-url',
  ],
];

/** States in which the main area and, if shown, the main button must have the same position. */
export const STEADY = [...ONE_BUTTON, ...MESSAGES];

/** Sequences of states of one open popup. Its height must be the same in all states of a sequence. */
const SEQUENCES = [
  ['ready', 'asking', 'throttled', 'sending', 'done', 'ready'],
  ['ready-low', 'sending-low', 'done-low', 'ready-low'],
  ['ready', 'unreachable', 'sending', 'done'],
  ['ready', 'minted-unreachable', 'minted-sending', 'done'],
  ['halted-generation', 'halted-saved', 'minted-sending', 'done'],
  ['earlier', 'sending', 'done', 'earlier'],
  ['earlier-low', 'sending-low', 'done-low'],
  ['ready', 'offline', 'uncertain', 'failed', 'lost', 'refused'],
];

declare const show: (state: string) => void;
declare const change: (state: string) => void;

/** Returns the sequences in which the height of the popup changes, with the heights in CSS pixels. */
export async function heightChanges(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const [first = '', ...others] of SEQUENCES) {
    await page.evaluate((state) => show(state), first);
    const heights = [await heightOf(page)];
    for (const state of others) {
      await page.evaluate((next) => change(next), state);
      heights.push(await heightOf(page));
    }
    if (new Set(heights).size > 1)
      found.push([first, ...others].map((state, at) => `${state} ${heights[at]}`).join(', '));
  }
  return found;
}

function heightOf(page: Page): Promise<number> {
  return page.locator('main').evaluate((main) => main.getBoundingClientRect().height);
}

/**
 * Returns the vertical positions that must be equal in all steady states, in CSS pixels: top and bottom of the main
 * area and, unless the state shows a message, of the main button.
 *
 * @throws if one of these elements is missing
 */
export async function placesIn(page: Page, state: string): Promise<string> {
  const place = async (selector: string) => {
    const box = await page.locator(selector).boundingBox();
    if (!box) throw new Error(`${selector} is not visible in the state ${state}.`);
    return `${box.y}–${box.y + box.height};`;
  };
  const stage = await place('.stage');
  return ONE_BUTTON.includes(state)
    ? `main area ${stage} button ${await place('.stage-actions > .is-large')}`
    : `main area ${stage}`;
}

/** Returns the states whose positions differ from the positions in the first state. */
export function jumps(places: Map<string, string>): string[] {
  const [first = ''] = places.values();
  return [...places].filter(([, place]) => !first.startsWith(place)).map(([state, place]) => `${state}: ${place}`);
}
