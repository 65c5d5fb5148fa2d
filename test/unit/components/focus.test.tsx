import { render } from 'preact';
import { afterEach, expect, it, vi } from 'vitest';
import { useAutofocus, useKeepFocus } from '../../../src/components/focus.ts';

// @vitest-environment happy-dom

afterEach(() => {
  render(null, document.body);
  vi.restoreAllMocks();
});

function Next({ name }: { name: string }) {
  const focus = useAutofocus<HTMLButtonElement>(name);
  return (
    <button key={name} type="button" ref={focus}>
      {name}
    </button>
  );
}

const find = (selector: string) => document.querySelector(selector) as HTMLElement;

it('the element gets the focus when it is added, and so does its replacement', () => {
  for (const name of ['Shorten', 'Copy']) {
    render(<Next name={name} />, document.body);
    expect(document.activeElement).toBe(find('button'));
  }
});

it('another element that already has the focus keeps it', () => {
  render(
    <>
      <input ref={(field) => field?.focus()} />
      <Next name="Shorten" />
    </>,
    document.body,
  );
  expect(document.activeElement?.tagName).toBe('INPUT');
});

it.each([true, false])(
  'when the window gets the focus, so does the element, unless the window had it before: %s',
  (hadKeyboard) => {
    vi.spyOn(document, 'hasFocus').mockReturnValue(hadKeyboard);
    render(<Next name="Shorten" />, document.body);
    find('button').blur();
    dispatchEvent(new Event('focus'));
    expect(document.activeElement).toBe(hadKeyboard ? document.body : find('button'));
  },
);

it('another focused element keeps the focus when the window gets the focus', () => {
  vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  render(
    <>
      <input />
      <Next name="Shorten" />
    </>,
    document.body,
  );
  find('input').focus();
  dispatchEvent(new Event('focus'));
  expect(document.activeElement).toBe(find('input'));
});

function List({ rows }: { rows: string[] }) {
  const list = useKeepFocus<HTMLUListElement>();
  return (
    <ul ref={list}>
      {rows.map((row) => (
        <li key={row}>
          <button type="button">{row}</button>
        </li>
      ))}
    </ul>
  );
}

it.each([
  ['first', 'second'],
  ['last', 'second'],
])('if the %s row of a list is removed, the focus moves to the button “%s”', async (removed, next) => {
  const rows = ['first', 'second', 'last'];
  render(<List rows={rows} />, document.body);
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent === removed)?.focus();
  render(<List rows={rows.filter((row) => row !== removed)} />, document.body);
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe(next));
});
