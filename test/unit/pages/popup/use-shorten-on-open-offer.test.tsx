import '../../../gallery/stubbed.ts';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import type { SettingsHandlers } from '../../../../src/components/hooks/use-settings-and-theme.ts';
import { useShortenOnOpenOffer } from '../../../../src/pages/popup/use-shorten-on-open-offer.ts';
import { render, rerender } from '../../support/render.ts';

// @vitest-environment happy-dom

const change = vi.fn<SettingsHandlers['change']>();
let offer: ReturnType<typeof useShortenOnOpenOffer>;

function Page({ isDue }: { isDue: boolean }) {
  offer = useShortenOnOpenOffer(isDue, change);
  return null;
}

beforeEach(() => void change.mockClear());

test('the offer is recorded when it is shown, and stays until the user answers', async () => {
  await render(<Page isDue={false} />);
  expect(offer.isOffered).toBe(false);
  await rerender(<Page isDue />);
  expect(change.mock.calls).toEqual([]);
  await act(() => offer.markShown());
  expect(change.mock.calls).toEqual([[{ shortenOnOpenOffered: true }]]);
  await rerender(<Page isDue={false} />);
  expect(offer.isOffered).toBe(true);
});

test.each([
  [true, [[{ shortenOnOpen: true }]]],
  [false, []],
])('the offer disappears when the user answers it with %s', async (isAccepted, changes) => {
  await render(<Page isDue />);
  await act(() => offer.answer(isAccepted));
  expect(offer.isOffered).toBe(false);
  expect(change.mock.calls).toEqual(changes);
});
