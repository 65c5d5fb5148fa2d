import { randomUUID } from 'node:crypto';
import type { Message } from '../../src/messages/protocol.ts';

// Contains all benchmark code that depends on the extension's messages and pages. If the extension changes, only this
// file needs to change.

export const connectMessage = (connection: { baseUrl: string; apiKey: string }): Message => ({
  type: 'save-connection',
  connectionId: null,
  name: '',
  ...connection,
});

/** Returns a message that requests a new link for a URL, even if the URL already has one. */
export const shortenMessage = (url: string, id: string = randomUUID()): Message => ({
  type: 'shorten',
  orders: [{ id, url, title: 'A page of the bench' }],
  connectionId: null,
  options: { shortCode: null, title: null, expiresAt: null },
  anew: true,
  private: false,
});

export const cancelMessage = (id: string): Message => ({ type: 'cancel', ids: [id] });

/** Message that requests the data for the popup. The background worker reads this data from the database. */
export const READ_MESSAGE: Message = { type: 'read-queues', private: false };

export const LINKS_SHOWN = "document.querySelector('.link') !== null";
export const NO_LINKS_SHOWN = "document.querySelector('.empty .button.is-primary') !== null";

/** Returns an expression that is true once the links page has loaded `count` links. */
export const ALL_LINKS_SHOWN = (count: number) =>
  `document.querySelector('.links-head h2')?.textContent === '${count.toLocaleString('en')} links'`;

export const POPUP_BUTTON =
  "[...document.querySelectorAll('button')].find(({ textContent }) => textContent.includes('Shorten this page'))";

/** Expression for the text field of the bulk page. */
export const PASTE_BOX = "document.querySelector('.source-text')";
/** Expression for the number of URLs that the bulk page lists. */
export const LISTED = "document.querySelectorAll('.row').length";
/** JavaScript expression for the main button of the bulk page. Evaluates to undefined while the button is disabled. */
export const SEND_BUTTON =
  "[...document.querySelectorAll('button')].find(({ textContent, disabled }) => /^Shorten /.test(textContent) && !disabled)";
/** Expression that is true once the bulk page shows the submitted list. */
export const GROUP_SHOWN = "document.querySelector('.progress ~ .list .row') !== null";
