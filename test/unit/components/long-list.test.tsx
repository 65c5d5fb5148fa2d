import { useRef } from 'preact/hooks';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import { useShowMore } from '../../../src/components/long-list.tsx';
import { resetBrowser } from '../support/fake-browser.ts';
import { render } from '../support/render.ts';

// @vitest-environment happy-dom

vi.mock('../../../src/browser/browser.ts', () => import('../support/fake-browser.ts'));

const ROWS = Array.from({ length: 450 }, (_, index) => index);

function List() {
  const list = useRef<HTMLUListElement>(null);
  const { shown, more } = useShowMore(ROWS, list, 'li');
  return (
    <>
      <ul ref={list}>
        {shown.map((row) => (
          <li key={row} />
        ))}
      </ul>
      {more}
    </>
  );
}

beforeEach(async () => {
  resetBrowser();
  await render(<List />);
});

const count = () => document.querySelectorAll('li').length;
const button = () => document.querySelector('button');

test('each press of the button doubles the number of shown rows', async () => {
  const counts = [count()];
  while (button()) {
    await act(() => button()?.click());
    counts.push(count());
  }
  expect(counts).toEqual([100, 200, 400, 450]);
});
