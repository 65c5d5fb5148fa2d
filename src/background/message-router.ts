import type { Runtime } from '../browser/browser.ts';
import browser from '../browser/browser.ts';
import type { Message, Reply } from '../messages/protocol.ts';
import type { Store } from '../storage/store.ts';
import type { Connections } from './commands/connection-commands.ts';
import type { PrivateRequests } from './commands/private-requests.ts';
import type { QueueCommands } from './commands/shorten-command.ts';
import type { LinkSync } from './link-sync.ts';

export function failureCode(error: unknown): 'storage_full' | 'in_use' | 'internal' {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'TimeoutError') return 'in_use';
  return name === 'QuotaExceededError' ? 'storage_full' : 'internal';
}

/**
 * True if a message comes from one of the extension's own pages. Checks the sender's origin or, if the browser does
 * not report the origin, the URL of the page.
 */
export function isOwnPage(sender: Runtime.MessageSender & { origin?: string }): boolean {
  if (sender.id !== browser.runtime.id) return false;
  const home = browser.runtime.getURL('/');
  return sender.origin === undefined ? (sender.url ?? '').startsWith(home) : `${sender.origin}/` === home;
}

export interface RouterDependencies {
  commands: QueueCommands;
  privateRequests: PrivateRequests;
  connections: Connections;
  linkSync: LinkSync;
  store: Store;
  online: () => Promise<void>;
  changed: () => void;
  deleteEverything: () => Promise<void>;
}

/**
 * Creates the listener for messages from the extension's own pages. Other senders and unknown messages get no reply.
 * An error becomes a reply with an error code, because a page cannot distinguish a rejected promise from a stopped
 * background worker.
 */
export function createRouter(
  dependencies: RouterDependencies,
): (raw: unknown, sender: Runtime.MessageSender) => Promise<unknown> | undefined {
  return (raw, sender) => {
    // Only the extension's own pages pass this check, and they send only messages of type `Message`.
    if (!isOwnPage(sender) || typeof raw !== 'object' || raw === null) return undefined;
    const answer = answerTo(dependencies, raw as Message);
    return answer?.catch((error) => ({ ok: false, code: failureCode(error) }));
  };
}

function answerTo(dependencies: RouterDependencies, message: Message): Promise<Reply<unknown>> | undefined {
  const { commands, privateRequests, connections, linkSync, store, online, changed, deleteEverything } = dependencies;
  switch (message.type) {
    case 'shorten':
      return commands.shorten({ ...message, source: 'popup' });
    case 'shorten-privately':
      return privateRequests.shorten(message);
    case 'cancel':
      return commands.cancel(message.ids);
    case 'retry':
      return commands.retry(message.id);
    case 'try-now':
      return commands.tryNow(message.connectionId);
    case 'set-paused':
      return commands.setPaused(message.connectionId, message.isPaused);
    case 'online':
      return done(online());
    case 'test-connection':
      return connections.test(message.connectionId, message.baseUrl, message.apiKey, message);
    case 'save-connection':
      return connections.save(message);
    case 'set-default-connection':
      return connections.setDefault(message.connectionId);
    case 'forget-connection':
      return connections.forget(message.connectionId);
    case 'edit-link':
    case 'read-clicks':
    case 'look-up-code':
      return value(connections.askAboutLinks(message));
    case 'sync-links':
      return value(linkSync.sync(message.connectionId));
    case 'imported':
      store.reload();
      return value(Promise.resolve(changed()));
    case 'delete-everything':
      return done(deleteEverything());
    case 'delete-links':
      return value(connections.deleteLinks(message));
    case 'read-queues':
      return value(store.queues().then((queues) => ({ queues })));
    default:
      return undefined;
  }
}

async function value<T>(work: Promise<T>): Promise<Reply<T>> {
  return { ok: true, value: await work };
}

async function done(work: Promise<unknown>): Promise<Reply> {
  await work;
  return { ok: true, value: null };
}
