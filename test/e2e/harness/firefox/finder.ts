import { readFileSync } from 'node:fs';
import type { Browser } from 'puppeteer-core';

/** One step of an element search. The step searches the results of the previous step, or the whole page. */
export type Step =
  | { by: 'role'; role: string; name?: Words }
  | { by: 'label' | 'text'; words: Words }
  | { by: 'css'; css: string; hasText?: Words }
  | { by: 'first' };

/**
 * A text to find. As in Playwright, a substring matches and case is ignored, unless the text is exact or a pattern.
 */
export type Words = { text: string; exact: boolean } | { pattern: string; flags: string };

export type Deed =
  | { what: 'count' }
  | { what: 'is'; state: 'attached' | 'visible' }
  /** Returns the point to click in window coordinates, as soon as the element is visible, enabled and not covered. */
  | { what: 'point' }
  /** Sets `globalThis.isClicked` to true at the next click on the element, or on any element if it has disappeared. */
  | { what: 'watch' }
  | { what: 'isChecked' }
  | { what: 'choose'; name: string; mimeType: string; base64: string }
  | { what: 'fill'; text: string }
  | { what: 'select'; words: string }
  | { what: 'read'; property: 'textContent' | 'value' };

/** Result of an action. `why` explains why the action was not possible yet. */
export type Outcome = { done: unknown } | { why: string };

const LIBRARY = readFileSync(
  new URL(import.meta.resolve('@testing-library/dom/dist/@testing-library/dom.umd.min.js')),
  'utf8',
);

export const HAS_FINDER = "typeof finder === 'function'";

/** Script that installs the finder in the page. The library Testing Library computes roles, names and labels. */
export const INSTALL_FINDER = `var module = undefined, exports = undefined; ${LIBRARY}; var finder = (${makeFinder})(TestingLibraryDom);`;

export function findExpression(steps: Step[], deed: Deed): string {
  return `finder(${JSON.stringify(steps)}, ${JSON.stringify(deed)})`;
}

interface Library {
  queryAllByRole(root: HTMLElement, role: string, options: { name?: (name: string) => boolean }): HTMLElement[];
  queryAllByLabelText(root: HTMLElement, matches: (text: string) => boolean): HTMLElement[];
}

/** The source of this function runs in the page, so it cannot use anything outside its body. */
function makeFinder(library: Library): (steps: Step[], deed: Deed) => Outcome {
  const plain = (text: string | null) => (text ?? '').replace(/\s+/g, ' ').trim();
  const matcher = (words: Words) => (text: string | null) => {
    if ('pattern' in words) return new RegExp(words.pattern, words.flags).test(plain(text));
    if (words.exact) return plain(text) === plain(words.text);
    return plain(text).toLowerCase().includes(plain(words.text).toLowerCase());
  };
  const inOrder = (elements: HTMLElement[]) =>
    [...new Set(elements)].sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));

  function under(root: HTMLElement, step: Step): HTMLElement[] {
    if (step.by === 'role')
      return library.queryAllByRole(root, step.role, step.name ? { name: matcher(step.name) } : {});
    if (step.by === 'label') return library.queryAllByLabelText(root, matcher(step.words));
    const all = [...root.querySelectorAll<HTMLElement>(step.by === 'css' ? step.css : ':not(script, style)')];
    if (step.by === 'text') {
      const has = matcher(step.words);
      // Prefers the innermost element that contains the whole text.
      return all.filter((one) => has(one.textContent) && ![...one.children].some((child) => has(child.textContent)));
    }
    const { hasText } = step as Step & { by: 'css' };
    return hasText ? all.filter((one) => matcher(hasText)(one.textContent)) : all;
  }

  function find(steps: Step[]): HTMLElement[] {
    let found = [document.documentElement];
    for (const step of steps) {
      if (step.by === 'first') found = found.slice(0, 1);
      else found = inOrder(found.flatMap((root) => under(root, step)));
    }
    return found;
  }

  function isVisible(element: HTMLElement): boolean {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
  }

  function point(element: HTMLElement): Outcome {
    if (!isVisible(element)) return { why: 'it cannot be seen' };
    if (element.matches(':disabled, [aria-disabled="true"]')) return { why: 'it is disabled' };
    element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    const { left, top, width, height } = element.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const hit = document.elementFromPoint(x, y);
    const label = 'labels' in element ? [...((element as HTMLInputElement).labels ?? [])] : [];
    if (!hit || ![element, ...label].some((one) => one.contains(hit))) {
      // Centers the element, because sticky elements may cover the page's edges.
      element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      return { why: `${hit?.outerHTML.slice(0, 200) ?? 'nothing'} is hit in its place` };
    }
    return { done: { x, y } };
  }

  function watch(element: HTMLElement): Outcome {
    Object.assign(globalThis, { isClicked: false });
    const hear = (event: Event) => {
      // The page may have replaced the element since it was found. The click then reaches the new element.
      if (element.isConnected && !event.composedPath().includes(element)) return;
      removeEventListener('click', hear, true);
      Object.assign(globalThis, { isClicked: true });
    };
    addEventListener('click', hear, true);
    return { done: null };
  }

  function fill(element: HTMLElement, text: string): Outcome {
    if (!isVisible(element)) return { why: 'it cannot be seen' };
    if (element.matches(':disabled, [readonly]')) return { why: 'it cannot be changed' };
    element.focus();
    const field = element as HTMLInputElement;
    field.select();
    document.execCommand(text ? 'insertText' : 'delete', false, text);
    return field.value === text ? { done: null } : { why: `it holds "${field.value}"` };
  }

  function select(element: HTMLElement, words: string): Outcome {
    const list = element as HTMLSelectElement;
    const option = [...list.options].find((one) => plain(one.label) === words);
    if (!option) return { why: `it has no "${words}"` };
    list.value = option.value;
    for (const type of ['input', 'change']) list.dispatchEvent(new Event(type, { bubbles: true }));
    return { done: null };
  }

  function choose(element: HTMLElement, { name, mimeType, base64 }: Deed & { what: 'choose' }): Outcome {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const files = new DataTransfer();
    files.items.add(new File([bytes], name, { type: mimeType }));
    (element as HTMLInputElement).files = files.files;
    for (const type of ['input', 'change']) element.dispatchEvent(new Event(type, { bubbles: true }));
    return { done: null };
  }

  return (steps, deed) => {
    const found = find(steps);
    if (deed.what === 'count') return { done: found.length };
    if (deed.what === 'is' && found.length === 0) return { done: false };
    const [element, second] = found;
    if (!element) return { why: 'it is not there' };
    if (second)
      throw new Error(
        `${found.length} elements match, the first two: ${element.outerHTML.slice(0, 200)} ${second.outerHTML.slice(0, 200)}`,
      );
    if (deed.what === 'is') return { done: deed.state === 'attached' || isVisible(element) };
    if (deed.what === 'point') return point(element);
    if (deed.what === 'watch') return watch(element);
    if (deed.what === 'fill') return fill(element, deed.text);
    if (deed.what === 'select') return select(element, deed.words);
    if (deed.what === 'choose') return choose(element, deed);
    if (deed.what === 'isChecked') return { done: (element as HTMLInputElement).checked };
    return { done: (element as HTMLInputElement)[deed.property] };
  };
}

/** Puppeteer's WebDriver BiDi connection. Puppeteer does not export its type. */
interface BidiConnection {
  send(method: string, params: object): Promise<{ result: unknown }>;
}

interface Evaluation {
  result?: { value?: unknown };
  exceptionDetails?: { text: string };
}

/**
 * Evaluates expressions in the scope of Firefox's own window, which can control the whole browser. Values must be
 * strings, numbers, booleans or undefined.
 */
export async function browserScope(browser: Browser): Promise<<T>(expression: string) => Promise<T>> {
  const { connection } = browser as unknown as { connection: BidiConnection };
  const tree = await connection.send('browsingContext.getTree', { 'moz:scope': 'chrome' });
  const window = (tree.result as { contexts: { context: string; url: string }[] }).contexts.find(
    ({ url }) => url === 'chrome://browser/content/browser.xhtml',
  );
  if (!window) throw new Error('Firefox has no browser window');
  return async <T>(expression: string) => {
    const answer = await connection.send('script.evaluate', {
      expression,
      target: { context: window.context },
      awaitPromise: true,
    });
    const { result, exceptionDetails } = answer.result as Evaluation;
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return result?.value as T;
  };
}
