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

test('a page is closed without a question while its list is empty, or has only lines that cannot be sent', async () => {
  expect(isAskedFirst()).toBe(false);
  await act(() => list.add(foundInText('javascript:x')));
  expect(list.list.invalid).toHaveLength(1);
  expect(isAskedFirst()).toBe(false);
});

test('the browser asks before it closes a list that is not sent, until it is sent, cleared or nothing of it is chosen', async () => {
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

test('the browser asks before it closes a page with text that was not added', async () => {
  await act(() => list.setText(' \n'));
  expect([list.hasText, list.hasRest]).toEqual([false, false]);
  await act(() => list.setText('Shopping list'));
  await askedFirst(true);
  expect(list.hasRest).toBe(true);
});

test('clearing the list removes its rejected lines too, so that the next file starts from nothing', async () => {
  await act(() => list.add(foundInText('https://a.example/\njavascript:x')));
  await act(() => list.clear());
  expect(list.list).toEqual({ entries: [], invalid: [] });
});
