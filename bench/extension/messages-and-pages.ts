import { randomUUID } from 'node:crypto';
import type { Message } from '../../src/messages/protocol.ts';

// Contains all code of the benchmark that depends on the extension's messages and pages. If the extension changes,
// only this file must change.

export const connectMessage = (connection: { baseUrl: string; apiKey: string }): Message => ({
  type: 'save-connection',
  connectionId: null,
  name: '',
  ...connection,
});

/** Returns a message that requests a new link even if a link for the URL exists. */
export const shortenMessage = (url: string, id: string = randomUUID()): Message => ({
  type: 'shorten',
  orders: [{ id, url, title: 'A page of the bench' }],
  connectionId: null,
  options: { shortCode: null, title: null, expiresAt: null },
  anew: true,
  private: false,
});

export const cancelMessage = (id: string): Message => ({ type: 'cancel', ids: [id] });

/** Message that requests the popup's data, which the background worker reads from the database. */
export const READ_MESSAGE: Message = { type: 'read-queues', private: false };

export const LINKS_SHOWN = "document.querySelector('.link .address') !== null";
export const NO_LINKS_SHOWN = "document.body?.textContent.includes('No links yet') === true";

/** Returns an expression that is true if the links page has loaded `count` links and is not loading more. */
export const ALL_LINKS_SHOWN = (count: number) =>
  `document.querySelector('.count')?.textContent === '${count.toLocaleString('en')}' && document.querySelector('.history button:enabled') !== null`;

export const POPUP_BUTTON =
  "[...document.querySelectorAll('button')].find(({ textContent }) => textContent.includes('Shorten this page'))";

/**
 * Expressions for the bulk page that return the text field, the number of rows, the main button, and the progress of
 * a sent list.
 */
export const PASTE_BOX = "document.querySelector('#paste')";
export const LISTED = "document.querySelectorAll('.row').length";
export const SEND_BUTTON =
  "[...document.querySelectorAll('button')].find(({ textContent, disabled }) => /^Shorten /.test(textContent) && !disabled)";
export const GROUP_SHOWN = "document.querySelector('.progress .row, .progress ~ .list .row') !== null";
