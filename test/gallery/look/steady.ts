import type { Page } from 'playwright-core';

/** States from the ready popup to the link. The strong button has the same place in all of them. */
const ONE_BUTTON = [
  ...[
    'ready',
    'asking',
    'sending',
    'throttled',
    'done',
    'done-copy-refused',
    'done-other-host',
    'done-offer',
    'earlier',
  ],
  ...[
    'existing-handed',
    'typed',
    'user-info',
    'minted-sending',
    'minted-offline',
    'minted-quota',
    'minted-unreachable',
  ],
];

/** Messages in place of the button, which have their buttons at the foot. */
const MESSAGES = [
  ...['offline', 'unreachable', 'unanswered', 'busy', 'unprotected', 'parked', 'undecided', 'failed', 'failed-target'],
  ...['failed-code', 'lost', 'refused', 'blocked-browser', 'other-url'],
];

/** States between which nothing in the popup may move. */
export const STEADY = [...ONE_BUTTON, ...MESSAGES];

/**
 * Returns the places that must be equal in all steady states, in CSS pixels: top and bottom of the main area, and of the
 * strong button unless the state is a message.
 */
export async function placesIn(page: Page, state: string): Promise<string> {
  const [stage, button] = await page.evaluate(() =>
    ['.stage', '.stage-actions > .is-large'].map((selector) => {
      const { top = 0, bottom = 0 } = document.querySelector(selector)?.getBoundingClientRect() ?? {};
      return `${top}–${bottom}`;
    }),
  );
  return ONE_BUTTON.includes(state) ? `main area ${stage}, button ${button}` : `main area ${stage}`;
}

/** Returns the states whose places differ from those of the first state of their kind. */
export function jumps(places: Map<string, string>): string[] {
  const [first = ''] = places.values();
  return [...places].filter(([, place]) => !first.startsWith(place)).map(([state, place]) => `${state}: ${place}`);
}
