import '../../../gallery/stubbed.ts';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { Popup } from '../../../../src/pages/popup/popup.tsx';
import type { Shorten } from '../../../../src/pages/popup/popup-store.ts';
import { type Given, POPUP_STATES, popupStore } from '../../../gallery/popup-states.tsx';
import { press, render, submit } from '../../support/render.ts';
import { shortenCommands } from '../../support/shorten-commands.ts';

// @vitest-environment happy-dom

const form = () => document.querySelector<HTMLFormElement>('.link-form');

/** Opens the form for a link. The background accepts no command. */
async function openForm(state = 'ready', given: Given = {}) {
  const shorten = vi.fn(async (_what: Shorten) => false);
  const shortenAnew = vi.fn(async (_what: Shorten) => false);
  const store = popupStore({ ...POPUP_STATES[state], ...given }, shortenCommands(shorten, shortenAnew));
  await render(<Popup store={store} />);
  await press('Customize');
  await vi.waitUntil(form);
  return { shorten, shortenAnew };
}

/** Submits the form and waits for the reply. */
async function send() {
  await submit(form());
  await act(async () => void (await vi.waitUntil(() => form()?.querySelector('[aria-busy="true"]') === null)));
}

test('a form that is sent again without changes sends the same options, even if they depend on the time', async () => {
  const now = vi.spyOn(Date, 'now');
  now.mockReturnValue(Date.parse('2026-11-20T10:00:00Z'));
  const { shorten } = await openForm('ready', { formDefaults: { expiry: 'week' } });
  await send();
  now.mockReturnValue(Date.parse('2026-11-20T10:00:30Z'));
  await send();
  now.mockRestore();
  const expiries = shorten.mock.calls.map(([{ options }]) => options?.expiresAt);
  expect(expiries).toEqual(['2026-11-27T10:00:00.000Z', '2026-11-27T10:00:00.000Z']);
});

test('a refused request for a second link still creates a second link when sent again', async () => {
  const { shorten, shortenAnew } = await openForm('earlier');
  await send();
  await send();
  expect([shorten.mock.calls.length, shortenAnew.mock.calls.length]).toEqual([0, 2]);
});
