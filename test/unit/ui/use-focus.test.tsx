// @vitest-environment happy-dom

import { render } from 'preact';
import { afterEach, expect, it } from 'vitest';
import { useFocus } from '../../../src/ui/use-focus.ts';

afterEach(() => render(null, document.body));

function Next({ name }: { name: string }) {
  const focus = useFocus<HTMLButtonElement>(name);
  return (
    <button key={name} type="button" ref={focus}>
      {name}
    </button>
  );
}

it('has the focus the moment it stands there, and so does its successor', () => {
  for (const name of ['Shorten', 'Copy']) {
    render(<Next name={name} />, document.body);
    expect(document.activeElement).toBe(document.querySelector('button'));
  }
});

it('leaves the focus to whoever has it', () => {
  render(
    <>
      <input ref={(field) => field?.focus()} />
      <Next name="Shorten" />
    </>,
    document.body,
  );
  expect(document.activeElement?.tagName).toBe('INPUT');
});
