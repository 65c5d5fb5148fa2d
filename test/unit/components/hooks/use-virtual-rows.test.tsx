import { useRef } from 'preact/hooks';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useVirtualRows } from '../../../../src/components/hooks/use-virtual-rows.ts';
import { render, rerender } from '../../support/render.ts';

// @vitest-environment happy-dom

const ROW_HEIGHT = 50;

function List({ names }: { names: string[] }) {
  const list = useRef<HTMLUListElement>(null);
  const { rows } = useVirtualRows(list, names, ROW_HEIGHT);
  return (
    <ul ref={list}>
      {rows.map(({ index }) => (
        <li key={names[index]}>{names[index]}</li>
      ))}
    </ul>
  );
}

const named = (name: string, count = 1_000) => Array.from({ length: count }, (_, at) => `${name} ${at}`);
const shown = () => [...document.querySelectorAll('li')].map(({ textContent }) => textContent);
const settle = () => act(() => void vi.advanceTimersByTime(1_000));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

test('rows outside the window are added when the list stays the same', async () => {
  const links = named('link');
  await render(<List names={links} />);
  const atOnce = shown();
  expect(atOnce.length).toBeGreaterThanOrEqual(Math.floor(innerHeight / ROW_HEIGHT));
  await settle();
  expect(shown().length).toBeGreaterThan(atOnce.length);
  expect(shown()).toEqual(links.slice(0, shown().length));
});

test('rows of a new list start with the rows in the window', async () => {
  await render(<List names={named('link')} />);
  const atOnce = shown().length;
  await settle();
  await rerender(<List names={named('found')} />);
  expect(shown()).toEqual(named('found', atOnce));
});

test('rows near the window stay on the page', async () => {
  await render(<List names={named('link')} />);
  await settle();
  const before = [...document.querySelectorAll('li')];
  await rerender(<List names={named('link')} />);
  expect([...document.querySelectorAll('li')]).toEqual(before);
});
