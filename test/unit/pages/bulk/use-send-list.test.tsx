import '../../../gallery/stubbed.ts';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import type { FlashMessage } from '../../../../src/components/error-toast.tsx';
import type { Message, Reply } from '../../../../src/messages/protocol.ts';
import { foundInText, selectedEntries, useList } from '../../../../src/pages/bulk/list-model.ts';
import { useSendList } from '../../../../src/pages/bulk/use-send-list.ts';
import { DEFAULT_SETTINGS } from '../../../../src/storage/settings.ts';
import { render, rerender } from '../../support/render.ts';

// @vitest-environment happy-dom

const asked: (Message & { type: 'shorten' })[] = [];
let answer: (message: Message & { type: 'shorten' }) => Promise<Reply<unknown> | undefined>;
vi.mock('../../../../src/messages/ask-background.ts', async (original) => ({
  ...(await original<typeof import('../../../../src/messages/ask-background.ts')>()),
  sendToBackgroundWithRetry: async (message: Message & { type: 'shorten' }) => {
    asked.push(message);
    return answer(message);
  },
}));

const taken = (refused: { orderId: string; code: string }[] = []) => ({
  ok: true as const,
  value: { requestIds: [], existing: [], refused, userInfoRemoved: false },
});

let page: { list: ReturnType<typeof useList>; send: () => void; sending: boolean };
const accepted = vi.fn<(id: string) => void>();
const show = vi.fn<(flash: FlashMessage | null) => void>();
const isOwn = () => false;
/** True if a URL is already in the queue. */
let isQueued: (url: string) => boolean;

function Page() {
  const list = useList(isOwn, DEFAULT_SETTINGS);
  const chosen = selectedEntries(list, isQueued);
  page = { list, ...useSendList({ list, chosen, connectionId: 'c', show, accepted }) };
  return null;
}

beforeEach(async () => {
  asked.length = 0;
  isQueued = () => false;
  vi.clearAllMocks();
  await render(<Page />);
  await act(() => page.list.add(foundInText('https://a.example/\nhttps://b.example/\nhttps://c.example/')));
});

async function sendAndWait(): Promise<void> {
  await act(() => page.send());
  while (page.sending) await act(() => new Promise((resolve) => setTimeout(resolve)));
}

const urls = () => page.list.list.entries.map(({ url }) => url);

test('selected entries are sent as one group and removed; other entries stay in the list', async () => {
  answer = async () => taken();
  await act(() => page.list.choose([page.list.list.entries[1]?.id ?? ''], false));
  await sendAndWait();
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({
    connectionId: 'c',
    anew: false,
    orders: [{ url: 'https://a.example/' }, { url: 'https://c.example/' }],
  });
  expect(accepted).toHaveBeenCalledExactlyOnceWith(asked[0]?.groupId);
  expect(urls()).toEqual(['https://b.example/']);
});

test('an entry that the background refuses stays in the list, and a message names it', async () => {
  answer = async ({ orders }) => taken([{ orderId: orders[0]?.id ?? '', code: 'own_short_link' }]);
  await sendAndWait();
  expect(urls()).toEqual(['https://a.example/']);
  expect(show).toHaveBeenCalledWith(expect.objectContaining({ url: 'https://a.example/' }));
  expect(accepted).toHaveBeenCalledOnce();
});

test('if all entries are refused, they stay in the list and no group is shown', async () => {
  answer = async ({ orders }) => taken(orders.map(({ id }) => ({ orderId: id, code: 'own_short_link' })));
  await sendAndWait();
  expect(urls()).toHaveLength(3);
  expect(show).toHaveBeenCalledWith(expect.objectContaining({ url: 'https://a.example/' }));
  expect(accepted).not.toHaveBeenCalled();
});

test('if the whole list is refused, it stays unchanged', async () => {
  answer = async () => ({ ok: false, code: 'no_connection' });
  await sendAndWait();
  expect(urls()).toHaveLength(3);
  expect(accepted).not.toHaveBeenCalled();
  expect(page.sending).toBe(false);
});

test('a list without a reply is sent again with the same ids', async () => {
  const { NoReply } = await import('../../../../src/messages/ask-background.ts');
  answer = async () => {
    throw new NoReply('It died.');
  };
  await sendAndWait();
  expect(urls()).toHaveLength(3);
  // The background accepted the list although its reply was lost.
  isQueued = () => true;
  await rerender(<Page />);
  answer = async () => taken();
  await sendAndWait();
  expect(asked.length).toBeGreaterThan(1);
  expect(new Set(asked.map(({ groupId }) => groupId)).size).toBe(1);
  expect(new Set(asked.map(({ orders }) => JSON.stringify(orders))).size).toBe(1);
  expect(urls()).toEqual([]);
});
