import { render } from 'preact';
import { afterEach, expect, it, vi } from 'vitest';
import { useAutofocus } from '../../../src/components/focus.ts';

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
