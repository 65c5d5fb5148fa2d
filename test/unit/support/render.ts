import { type ComponentChild, render as renderInto } from 'preact';
import { act } from 'preact/test-utils';

/** Unmounts the previous content, renders `node` and runs the effects. */
export async function render(node: ComponentChild): Promise<HTMLElement> {
  renderInto(null, document.body);
  return rerender(node);
}

/** Renders again without unmounting, as after a change. */
export async function rerender(node: ComponentChild): Promise<HTMLElement> {
  await act(() => renderInto(node, document.body));
  return document.body;
}

/** Returns the only control with this accessible name that users can reach. */
export function control(name: string): HTMLElement {
  const found = [...document.querySelectorAll<HTMLElement>('button, input, textarea, a, dialog')].filter(
    (element) => accessibleName(element) === name && !element.closest('[hidden], [inert]'),
  );
  if (found.length !== 1) throw new Error(`${found.length} controls are named "${name}"`);
  return found[0] as HTMLElement;
}

/** Acts on the page, and waits for the replies that the page gets without timers. */
export async function acting(action: () => unknown): Promise<void> {
  await act(async () => {
    action();
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  });
}

export function press(name: string): Promise<void> {
  return acting(() => control(name).click());
}

export async function type(field: HTMLElement, text: string): Promise<void> {
  await act(() => {
    (field as HTMLInputElement).value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

export function submit(form: HTMLFormElement | null): Promise<void> {
  return acting(() => form?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })));
}

/**
 * Returns an element's text, with single spaces between its child elements.
 *
 * @throws if the element is missing, so that a missing element cannot pass as an empty one
 */
export function textOf(element: Element | null): string {
  if (!element) throw new Error('The element is not on the page.');
  const pieces = (node: Node): string[] =>
    node.nodeType === Node.TEXT_NODE ? [node.textContent ?? ''] : [...node.childNodes].flatMap(pieces);
  return pieces(element).join(' ').replace(/\s+/g, ' ').trim();
}

function accessibleName(element: HTMLElement): string {
  const label = element.id ? document.querySelector(`label[for="${element.id}"]`) : null;
  return element.getAttribute('aria-label') ?? ((label && textOf(label)) || textOf(element));
}
