import { randomUUID } from 'node:crypto';
import type { Message } from '../../src/messages/protocol.ts';

// All that the bench knows of the messages the extension takes and of what its pages show. Where they change, this file
// changes with them and nothing else does.

/** Adds a connection. */
export const connectMessage = (connection: { baseUrl: string; apiKey: string }): Message => ({
  type: 'save-connection',
  connectionId: null,
  name: '',
  ...connection,
});

/** Accepts a request, whether or not there is a link already. */
export const shortenMessage = (url: string, id: string = randomUUID()): Message => ({
  type: 'shorten',
  orders: [{ id, url, title: 'A page of the bench' }],
  connectionId: null,
  options: { shortCode: null, title: null, expiresAt: null },
  anew: true,
  private: false,
});

export const cancelMessage = (id: string): Message => ({ type: 'cancel', ids: [id] });

/** Asks for what the popup shows, which the background reads from its database. */
export const READ_MESSAGE: Message = { type: 'read-queues', private: false };

/** An expression: whether the links page shows its list of links. */
export const LINKS_SHOWN = "document.querySelector('.link .address') !== null";
/** An expression: whether the links page says that there is none. */
export const NO_LINKS_SHOWN = "document.body?.textContent.includes('No links yet') === true";

/** An expression: whether the links page has read so many links, and does not read on. */
export const ALL_LINKS_SHOWN = (count: number) =>
  `document.querySelector('.count')?.textContent === '${count.toLocaleString('en')}' && document.querySelector('.history button:enabled') !== null`;

/** An expression: the popup's one button, or undefined. */
export const POPUP_BUTTON =
  "[...document.querySelectorAll('button')].find(({ textContent }) => textContent.includes('Shorten this page'))";

/** Expressions of the page for many addresses: its box, how many rows it shows, its main button, and a list that was sent. */
export const PASTE_BOX = "document.querySelector('#paste')";
export const LISTED = "document.querySelectorAll('.row').length";
export const SEND_BUTTON =
  "[...document.querySelectorAll('button')].find(({ textContent, disabled }) => /^Shorten /.test(textContent) && !disabled)";
export const GROUP_SHOWN = "document.querySelector('.progress .row, .progress ~ .list .row') !== null";
