import type { Runtime } from 'webextension-polyfill';
import { Message, type Reply } from '../messages/messages.ts';
import { clearLinks, removeLink } from '../storage/links.ts';
import { readViewHere } from '../storage/read.ts';
import type { Store } from '../storage/store.ts';
import type { Connections } from './connections.ts';
import { failureCode } from './failure.ts';
import { isOwnPage } from './own-pages.ts';
import type { Wishes } from './wishes.ts';

export interface Rooms {
  wishes: Wishes;
  connections: Connections;
  store: Store;
  resume: () => Promise<void>;
}

/**
 * Answers the extension's own pages. Anybody else, and anything that is no message of ours, gets no answer at all.
 * What fails unforeseen is answered with a code, never with a rejected promise: a page could not tell that from a
 * background that died.
 */
export function createRouter(
  rooms: Rooms,
): (raw: unknown, sender: Runtime.MessageSender) => Promise<unknown> | undefined {
  return (raw, sender) => {
    if (!isOwnPage(sender)) return undefined;
    const parsed = Message.safeParse(raw);
    if (!parsed.success) return undefined;
    return answer(rooms, parsed.data).catch((error) => ({ ok: false, code: failureCode(error) }) satisfies Reply);
  };
}

async function answer({ wishes, connections, store, resume }: Rooms, message: Message): Promise<Reply<unknown>> {
  switch (message.type) {
    case 'shorten':
      return wishes.shorten({ id: message.id, url: message.url, title: message.title, private: message.private });
    case 'cancel':
      return wishes.cancel(message.id);
    case 'retry':
      return wishes.retry(message.id);
    case 'test-connection':
      return connections.test(message.baseUrl, message.apiKey);
    case 'connect':
      return connections.connect(message.baseUrl, message.apiKey);
    case 'forget-connection':
      return connections.forget();
    case 'remove-link':
      return done(store.exclusively((database) => removeLink(database, message.id)));
    case 'clear-links':
      return done(store.exclusively(clearLinks));
    case 'resume':
      return done(resume());
    case 'view':
      return { ok: true, value: await readViewHere(message.private, message.wanted) };
  }
}

async function done(work: Promise<void>): Promise<Reply> {
  await work;
  return { ok: true, value: null };
}
