import { randomUUID } from 'node:crypto';
import type { Message } from '../../src/messages/protocol.ts';

// Everything that the bench knows about the extension's messages and pages. If they change, only this file changes.

export const connectMessage = (connection: { baseUrl: string; apiKey: string }): Message => ({
  type: 'save-connection',
  connectionId: null,
  name: '',
  ...connection,
});

/** Accepts a request even if a link for the URL exists. */
export const shortenMessage = (url: string, id: string = randomUUID()): Message => ({
  type: 'shorten',
  orders: [{ id, url, title: 'A page of the bench' }],
  connectionId: null,
  options: { shortCode: null, title: null, expiresAt: null },
  anew: true,
  private: false,
});

export const cancelMessage = (id: string): Message => ({ type: 'cancel', ids: [id] });

/** Asks for what the popup shows. The background reads it from the database. */
export const READ_MESSAGE: Message = { type: 'read-queues', private: false };

/** Expression that is true if the links page shows its list. */
export const LINKS_SHOWN = "document.querySelector('.link .address') !== null";
/** Expression that is true if the links page shows its empty state. */
export const NO_LINKS_SHOWN = "document.body?.textContent.includes('No links yet') === true";

/** Returns an expression that is true if the links page has loaded `count` links and loads no more. */
export const ALL_LINKS_SHOWN = (count: number) =>
  `document.querySelector('.links-head h2')?.textContent === '${count.toLocaleString('en')} links' && document.querySelector('.history button:enabled') !== null`;

/** Expression that returns the popup's only button, or undefined. */
export const POPUP_BUTTON =
  "[...document.querySelectorAll('button')].find(({ textContent }) => textContent.includes('Shorten this page'))";

/** Expressions for the bulk page: text field, number of rows, main button, and the progress of a sent list. */
export const PASTE_BOX = "document.querySelector('.source-text')";
export const LISTED = "document.querySelectorAll('.row').length";
export const SEND_BUTTON =
  "[...document.querySelectorAll('button')].find(({ textContent, disabled }) => /^Shorten /.test(textContent) && !disabled)";
export const GROUP_SHOWN = "document.querySelector('.progress ~ .list .row') !== null";
