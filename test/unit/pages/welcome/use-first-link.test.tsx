import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import { useQueues } from '../../../../src/components/hooks/use-stored-data.ts';
import type { Message } from '../../../../src/messages/protocol.ts';
import { useFirstLink } from '../../../../src/pages/welcome/use-first-link.ts';
import type { VisibleQueues } from '../../../../src/queue/types.ts';
import { freshDisk } from '../../support/disk.ts';
import { browser } from '../../support/fake-browser.ts';
import { render } from '../../support/render.ts';
import { connected, refusedAs, type TestWorker } from '../../support/worker.ts';

// @vitest-environment happy-dom

vi.mock('../../../../src/browser/browser.ts', () => import('../../support/fake-browser.ts'));

let worker: TestWorker;
let order: ReturnType<typeof useFirstLink>;
/** Types of messages that the background worker does not answer. */
const unanswered = new Set<string>();

function Page({ first }: { first: VisibleQueues }) {
  const queues = useQueues(first);
  order = useFirstLink(queues, worker.now, true);
  return null;
}

const shorten = (text: string) =>
  act(async () => {
    await order.shorten(text);
    await vi.waitFor(async () => {
      await worker.runOut();
      expect(order.isAsking).toBe(false);
      expect((await worker.requests()).filter(({ state }) => state !== 'failed')).toEqual([]);
    });
  });
const failedNow = async () => (await worker.requests()).map(({ url }) => url);

beforeEach(async () => {
  freshDisk();
  unanswered.clear();
  worker = await connected('full');
  worker.send = async (attempt) => refusedAs(attempt, 'invalid_url');
  browser.runtime.sendMessage.mockImplementation(async (message) => {
    const asked = message as Message;
    if (unanswered.has(asked.type)) return undefined;
    if (asked.type === 'shorten') return worker.commands.shorten({ ...asked, source: 'popup' });
    throw new Error(`No reply is defined for ${asked.type}.`);
  });
  await render(<Page first={{ queues: await worker.store.queues() }} />);
  await shorten('https://example.org/wrnog');
  await vi.waitFor(() => expect(order.firstLink).toMatchObject({ listed: { status: { kind: 'failed' } } }));
});

test('a corrected address replaces the failed request', async () => {
  expect(await failedNow()).toEqual(['https://example.org/wrnog']);
  await shorten('https://example.org/alike');
  expect(await failedNow()).toEqual(['https://example.org/alike']);
});

test('the failed first link stays visible until the corrected address is accepted', async () => {
  const before = order.firstLink;
  browser.runtime.sendMessage.mockReturnValue(new Promise(() => {}));
  await act(async () => void order.shorten('https://example.org/alike'));
  expect([order.isAsking, order.firstLink]).toEqual([true, before]);
});

test('invalid text is refused, and does not replace the failed request', async () => {
  await shorten('no address');
  expect(order.firstLink).toEqual({ kind: 'refused', code: expect.any(String) });
  expect(await failedNow()).toEqual(['https://example.org/wrnog']);
});

test('the failed request stays if the background does not reply', async () => {
  unanswered.add('shorten');
  await shorten('https://example.org/alike');
  expect(await failedNow()).toEqual(['https://example.org/wrnog']);
});
