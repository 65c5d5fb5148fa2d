import type { PageDeps } from '../../src/components/page-store.ts';
import type { Message, Reply } from '../../src/messages/protocol.ts';
import type { VisibleQueues } from '../../src/queue/types.ts';
import { NOW, queuesView } from './fixtures.ts';

/** Dependencies of a page's store, with everything that the store did. */
export interface TestDeps extends PageDeps {
  /** Messages that were sent to the background worker. */
  asked: Message[];
  /** URLs that were opened in new tabs, and `options` for the options page. */
  opened: string[];
  /** Texts that were copied. */
  written: string[];
}

/**
 * Creates dependencies that do nothing. The background worker accepts every message, and the data never changes.
 *
 * @param part dependencies that a test replaces
 */
export function testDeps(part: Partial<PageDeps> & { view?: VisibleQueues } = {}): TestDeps {
  const [asked, opened, written]: [Message[], string[], string[]] = [[], [], []];
  const { view = queuesView(), ask = accept as PageDeps['ask'], ...rest } = part;
  let ids = 0;
  return {
    asked,
    opened,
    written,
    now: () => NOW,
    newId: () => `id-${++ids}`,
    isOnline: () => true,
    readQueues: async () => view,
    readLinks: async () => [],
    readList: async () => null,
    writeClipboard: async (text) => void written.push(text),
    requestHost: async () => true,
    openTab: async (url) => void opened.push(url),
    openOptions: async () => void opened.push('options'),
    ...rest,
    ask: <T>(message: Message) => {
      asked.push(message);
      return ask(message) as Promise<Reply<T>>;
    },
  };
}

/** Reply of a background worker that accepts every message. */
async function accept({ type }: Message): Promise<Reply<unknown>> {
  const accepted = { requestIds: [], existing: [], refused: [], userInfoRemoved: false };
  return { ok: true, value: type === 'shorten' ? accepted : null };
}
