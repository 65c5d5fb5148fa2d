import '../../../gallery/stubbed.ts';
import { expect, test, vi } from 'vitest';
import type { OptionsDeps } from '../../../../src/pages/options/options-store.ts';
import { EMPTY_STATE } from '../../../../src/queue/user-actions.ts';
import { CONNECTION, queue, queuesView, SECOND_CONNECTION } from '../../../gallery/fixtures.ts';
import { optionsStore } from '../../../gallery/options-states.tsx';

// @vitest-environment happy-dom

const TWO = queuesView([queue(), queue({ connection: SECOND_CONNECTION })]);
/** The store finishes its work in one turn of the event loop, because its dependencies do. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

test.each<[string, OptionsDeps['ask'], string]>([
  ['is refused', async () => ({ ok: false, code: 'storage_full' }), 'The disk is full. Free some space and try again.'],
  ['gets no reply', () => Promise.reject(new Error('asleep')), "Terse didn't respond. Nothing was lost. Try again."],
])(
  'if the change of the default connection %s, an error is shown, and the list stays as it is',
  async (_how, ask, text) => {
    const store = optionsStore({ start: { view: TWO }, deps: { ask } });
    store.setDefault(SECOND_CONNECTION.id);
    await settled();
    expect(store.flash.value).toEqual({ text });
    expect(store.connections.value.map(({ id }) => id)).toEqual([CONNECTION.id, SECOND_CONNECTION.id]);
  },
);

test('after a change of the default connection, the list shows the stored order', async () => {
  const changed = queuesView([queue({ connection: SECOND_CONNECTION }), queue()]);
  const store = optionsStore({ start: { view: TWO }, deps: { readQueues: async () => changed } });
  store.setDefault(SECOND_CONNECTION.id);
  await settled();
  expect(store.flash.value).toBeNull();
  expect(store.connections.value.map(({ id }) => id)).toEqual([SECOND_CONNECTION.id, CONNECTION.id]);
});

test.each([
  [true, [{ type: 'try-now', connectionId: CONNECTION.id }], null],
  [false, [], { text: 'Terse needs your permission to do this. Try again and choose Allow.' }],
])(
  'access is requested from the browser, and the queue resumes or a refusal is shown: %s',
  async (allowed, asked, flash) => {
    const requestHost = vi.fn<OptionsDeps['requestHost']>().mockResolvedValue(allowed);
    const ask = vi.fn().mockResolvedValue({ ok: true, value: null });
    const view = queuesView([queue({ state: { ...EMPTY_STATE, blocked: 'permission' } })]);
    const store = optionsStore({ start: { view }, deps: { requestHost, ask } });
    expect(await store.allowAccess(CONNECTION)).toBe(allowed);
    expect(requestHost.mock.calls).toEqual([[CONNECTION.baseUrl]]);
    expect(ask.mock.calls).toEqual(asked.map((message) => [message]));
    expect(store.flash.value).toEqual(flash);
  },
);
