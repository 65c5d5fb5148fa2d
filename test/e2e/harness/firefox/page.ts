import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserPage, ByText, Located } from '../browser-under-test.ts';
import { until } from '../until.ts';
import type { Driver } from './driver.ts';
import {
  type Deed,
  findExpression,
  HAS_FINDER,
  INSTALL_FINDER,
  type Outcome,
  type Step,
  type Words,
} from './finder.ts';

export type Call = <Name extends keyof Driver>(
  name: Name,
  ...args: Parameters<Driver[Name]>
) => Promise<Awaited<ReturnType<Driver[Name]>>>;

/** A page in Firefox, with its id in the driver. */
export interface FirefoxPage extends BrowserPage {
  readonly id: number;
}

/** Timeout in milliseconds, the same as Playwright's. */
const PATIENCE = 30_000;

/**
 * Number of checks for a received click before the click is repeated, and the pause between checks in milliseconds. A
 * busy page receives a click late, and an early repetition would click twice.
 */
const CLICK_CHECKS = { most: 25, pause: 200 };

export function firefoxPage(call: Call, id: number): FirefoxPage {
  async function evaluate(expression: string): Promise<unknown> {
    const value = await call('evaluate', id, expression);
    return value === undefined ? undefined : JSON.parse(value);
  }

  async function once(steps: Step[], deed: Deed): Promise<Outcome> {
    const find = findExpression(steps, deed);
    const outcome = (await evaluate(`${HAS_FINDER} ? ${find} : null`)) as Outcome | null;
    return outcome ?? ((await evaluate(`${INSTALL_FINDER}; ${find}`)) as Outcome);
  }

  /** Text of the page, which is added to a failed test's error. */
  const shown = async () => `the page says: ${await evaluate('document.body.innerText').catch(String)}`;

  /** Retries an action until it succeeds, because the page may be loading or closing. */
  async function perform(steps: Step[], deed: Deed, timeout = PATIENCE): Promise<unknown> {
    let why = 'nothing was tried';
    const done = await until(
      `${JSON.stringify(deed)} on ${JSON.stringify(steps)}`,
      async () => {
        const outcome = await once(steps, deed).catch((error) => ({ why: String(error) }));
        if ('why' in outcome) why = outcome.why;
        return 'why' in outcome ? null : outcome;
      },
      timeout,
    ).catch(async (error) => {
      throw new Error(`${error.message}: ${why}; ${await shown()}`);
    });
    return done.done;
  }

  /** True if the page has received the click by now, or if the click led to another page. */
  const hasArrived = () =>
    evaluate('globalThis.isClicked').then(
      (isClicked) => isClicked !== false,
      () => true,
    );

  /** Waits until the page receives the click. Returns false if it does not. */
  async function isClicked(): Promise<boolean> {
    for (let checks = 0; checks < CLICK_CHECKS.most; checks += 1) {
      if (await hasArrived()) return true;
      await pause(Math.min(25 * (checks + 1), CLICK_CHECKS.pause));
    }
    return false;
  }

  /**
   * Clicks an element as soon as it stops moving, and waits until the page has received the click. Repeats the click
   * if the element moved away. A busy page may receive the first click only then. The element may have disappeared
   * because of that click, so the repetition then ends.
   */
  async function click(steps: Step[], timeout = PATIENCE, isRepeated = false): Promise<void> {
    await call('bringToFront', id);
    let last = '';
    const place = await until(
      `a place to click ${JSON.stringify(steps)}`,
      async () => {
        if (isRepeated && (await hasArrived())) return 'arrived';
        const finding = perform(steps, { what: 'point' }, isRepeated ? CLICK_CHECKS.pause : timeout);
        const point = (await (isRepeated ? finding.catch(() => null) : finding)) as { x: number; y: number } | null;
        const isStill = JSON.stringify(point) === last;
        last = JSON.stringify(point);
        return isStill && point;
      },
      timeout,
    );
    if (place === 'arrived') return;
    await perform(steps, { what: 'watch' }, timeout);
    await call('clickAt', id, place.x, place.y);
    if (!(await isClicked())) await click(steps, timeout, true);
  }

  async function press(key: string): Promise<void> {
    await call('bringToFront', id);
    await call('press', id, key);
  }

  function locating(steps: Step[]) {
    return {
      getByRole: (role: string, { name, exact }: ByText & { name?: string | RegExp } = {}) =>
        located([...steps, { by: 'role', role, ...(name !== undefined && { name: words(name, exact) }) }]),
      getByLabel: (text: string | RegExp, options?: ByText) =>
        located([...steps, { by: 'label', words: words(text, options?.exact) }]),
      getByText: (text: string | RegExp, options?: ByText) =>
        located([...steps, { by: 'text', words: words(text, options?.exact) }]),
      locator: (css: string, { hasText }: { hasText?: string | RegExp } = {}) =>
        located([...steps, { by: 'css', css, ...(hasText !== undefined && { hasText: words(hasText) }) }]),
    };
  }

  function located(steps: Step[]): Located {
    const read = (deed: Deed) => perform(steps, deed) as Promise<string>;
    const tick = async (wanted: boolean) => {
      if ((await perform(steps, { what: 'isChecked' })) !== wanted) await click(steps);
      await until('the checkbox to change', async () => (await perform(steps, { what: 'isChecked' })) === wanted);
    };
    return {
      ...locating(steps),
      first: () => located([...steps, { by: 'first' }]),
      async waitFor({ state = 'visible', timeout = PATIENCE } = {}) {
        const isReached = () => perform(steps, { what: 'is', state }, timeout);
        await until(`${JSON.stringify(steps)} to be ${state}`, isReached, timeout).catch(async (error) => {
          throw new Error(`${error.message}; ${await shown()}`);
        });
      },
      click: ({ timeout } = {}) => click(steps, timeout),
      check: () => tick(true),
      uncheck: () => tick(false),
      fill: async (text) => void (await perform(steps, { what: 'fill', text })),
      selectOption: (option) => perform(steps, { what: 'select', words: option }),
      async setInputFiles({ name, mimeType, buffer }) {
        await perform(steps, { what: 'choose', name, mimeType, base64: buffer.toString('base64') });
      },
      count: () => perform(steps, { what: 'count' }) as Promise<number>,
      textContent: () => read({ what: 'read', property: 'textContent' }),
      inputValue: () => read({ what: 'read', property: 'value' }),
    };
  }

  return {
    id,
    ...locating([]),
    keyboard: { press },
    evaluate,
    bringToFront: () => call('bringToFront', id),
    async reload() {
      await evaluate('globalThis.isBeforeReload = true');
      await call('reload', id);
      await untilLoaded(evaluate, '!globalThis.isBeforeReload');
    },
    close: () => call('close', id),
  };
}

/** Waits until a page with this URL is fully loaded. */
export async function untilLoaded(evaluate: (expression: string) => Promise<unknown>, isIt: string): Promise<void> {
  await until('the page to load', () => evaluate(`${isIt} && document.readyState === 'complete'`).catch(() => false));
}

function words(text: string | RegExp, exact = false): Words {
  return typeof text === 'string' ? { text, exact } : { pattern: text.source, flags: text.flags };
}
