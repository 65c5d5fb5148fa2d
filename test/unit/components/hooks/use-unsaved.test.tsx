import '../../../gallery/stubbed.ts';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import { useUnsaved } from '../../../../src/components/hooks/use-unsaved.ts';
import { foundInText, selectedEntries, useList } from '../../../../src/pages/bulk/list-model.ts';

import { DEFAULT_SETTINGS } from '../../../../src/storage/settings.ts';
import { render } from '../../support/render.ts';

// @vitest-environment happy-dom

let list: ReturnType<typeof useList>;
const isOwn = () => false;

function Page() {
  list = useList(isOwn, DEFAULT_SETTINGS);
  useUnsaved(selectedEntries(list, () => false).length > 0 || list.hasText);
  return null;
}

function isAskedFirst(): boolean {
  const event = new Event('beforeunload', { cancelable: true });
  dispatchEvent(event);
  return event.defaultPrevented;
}

/** Preact runs effects after the next paint. */
const askedFirst = (expected: boolean) => vi.waitFor(() => expect(isAskedFirst()).toBe(expected));

beforeEach(() => render(<Page />));

test('the page closes without a question if the list is empty or has only invalid lines', async () => {
  expect(isAskedFirst()).toBe(false);
  await act(() => list.add(foundInText('javascript:x')));
  expect(list.list.invalid).toHaveLength(1);
  expect(isAskedFirst()).toBe(false);
});

test('the browser asks before the page closes while entries are selected to be sent', async () => {
  await act(() => list.add(foundInText('https://a.example/\nhttps://b.example/')));
  await askedFirst(true);
  const [a, b] = list.list.entries.map(({ id }) => id);
  await act(() => list.takeOut(new Set([a ?? ''])));
  await askedFirst(true);
  await act(() => list.choose([b ?? ''], false));
  await askedFirst(false);
  await act(() => list.choose([b ?? ''], true));
  await askedFirst(true);
  await act(() => list.clear());
  await askedFirst(false);
});

test('the browser asks before the page closes if the field contains text', async () => {
  await act(() => list.setText(' \n'));
  expect([list.hasText, list.hasRest]).toEqual([false, false]);
  await act(() => list.setText('Shopping list'));
  await askedFirst(true);
  expect(list.hasRest).toBe(true);
});

test('clearing the list also removes its invalid lines', async () => {
  await act(() => list.add(foundInText('https://a.example/\njavascript:x')));
  await act(() => list.clear());
  expect(list.list).toEqual({ entries: [], invalid: [] });
});
