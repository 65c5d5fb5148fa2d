import type { Runtime } from '../browser/browser.ts';
import browser from '../browser/browser.ts';
import type { Handlers, Message, RefusalCode, Reply } from '../messages/protocol.ts';
import { readClicks } from '../servers/call-server.ts';
import type { Store } from '../storage/store.ts';
import type { Connections } from './commands/connection-commands.ts';
import { importEntries } from './commands/import-command.ts';
import { callConnection, deleteLinks, editLink, type ServiceLinkDependencies } from './commands/server-links.ts';
import type { QueueCommands } from './commands/shorten-command.ts';
import type { LinkSync } from './link-sync.ts';

/** Returns the reply code for an unexpected error. */
export function failureCode(error: unknown): RefusalCode {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'TimeoutError') return 'in_use';
  return name === 'QuotaExceededError' ? 'storage_full' : 'internal';
}

/**
 * True if a message comes from one of the extension's own pages. Checks the sender's origin or, if the browser does
 * not report the origin, the URL of the page.
 */
function isOwnPage(sender: Runtime.MessageSender & { origin?: string }): boolean {
  if (sender.id !== browser.runtime.id) return false;
  const home = browser.runtime.getURL('/');
  return sender.origin === undefined ? (sender.url ?? '').startsWith(home) : `${sender.origin}/` === home;
}

export interface RouterDependencies extends ServiceLinkDependencies {
  commands: QueueCommands;
  shortenPrivately: Handlers['shorten-privately'];
  connections: Connections;
  linkSync: LinkSync;
  store: Store;
  online: () => Promise<void>;
  /** Called after a change that may allow or require a send. */
  changed: () => void;
}

/**
 * Creates the listener for messages from the extension's own pages. Other senders and unknown messages get no reply.
 * An error becomes a reply with an error code, because a page cannot distinguish a rejected promise from a stopped
 * background worker.
 */
export function createRouter(dependencies: RouterDependencies) {
  const handlers = handlersOf(dependencies);
  return (raw: unknown, sender: Runtime.MessageSender): Promise<Reply<unknown>> | undefined => {
    // Only the extension's own pages pass this check, and they send only messages of type `Message`.
    if (!isOwnPage(sender) || typeof raw !== 'object' || raw === null) return undefined;
    const message = raw as Message;
    if (!Object.hasOwn(handlers, message.type)) return undefined;
    const handle = handlers[message.type] as (message: Message) => Promise<Reply<unknown>>;
    return handle(message).catch((error) => ({ ok: false, code: failureCode(error) }));
  };
}

function handlersOf(dependencies: RouterDependencies): Handlers {
  const { commands, shortenPrivately, connections, linkSync, store, online, changed } = dependencies;
  return {
    shorten: (message) => commands.shorten({ ...message, source: 'popup' }),
    'shorten-privately': shortenPrivately,
    cancel: ({ ids }) => commands.cancel(ids),
    retry: ({ id }) => commands.retry(id),
    'try-now': ({ connectionId }) => commands.tryNow(connectionId),
    'set-paused': ({ connectionId, isPaused }) => commands.setPaused(connectionId, isPaused),
    online: () => done(online()),
    'save-connection': (message) => connections.save(message),
    'set-default-connection': ({ connectionId }) => connections.setDefault(connectionId),
    'forget-connection': ({ connectionId }) => connections.forget(connectionId),
    'edit-link': (message) => value(editLink(dependencies, message)),
    'read-clicks': (message) => value(callConnection(dependencies, message, (server) => readClicks(server, message))),
    'sync-links': ({ connectionId }) => value(linkSync.sync(connectionId)),
    import: (message) => value(importEntries(store, message).finally(changed)),
    'delete-everything': () => done(store.deleteEverything().finally(changed)),
    'delete-links': (message) => value(deleteLinks(dependencies, message)),
    'read-queues': () => value(store.queues().then((queues) => ({ queues }))),
  };
}

async function value<T>(work: Promise<T>): Promise<Reply<T>> {
  return { ok: true, value: await work };
}

async function done(work: Promise<unknown>): Promise<Reply> {
  await work;
  return { ok: true, value: null };
}
