import type { Message } from '../../src/messages/protocol.ts';

// Contains all benchmark code that depends on the extension's messages and pages. If the extension changes, only this
// file needs to change.

export const connectMessage = (connection: { baseUrl: string; apiKey: string }): Message => ({
  type: 'save-connection',
  connectionId: null,
  name: '',
  ...connection,
});

/** Returns an expression that is true once the links page has loaded `count` links. */
export const ALL_LINKS_SHOWN = (count: number) =>
  `document.querySelector('#links-total')?.textContent === '${count.toLocaleString('en')} links'`;

export const POPUP_BUTTON =
  "[...document.querySelectorAll('button')].find(({ textContent }) => textContent.includes('Shorten this page'))";

/** Expression for the text field of the bulk page. */
export const PASTE_BOX = "document.querySelector('.source-text')";
/** Expression for the number of URLs that the bulk page lists. */
export const LISTED = "document.querySelectorAll('.row').length";
/** JavaScript expression for the main button of the bulk page. Evaluates to undefined while the button is disabled. */
export const SEND_BUTTON =
  "[...document.querySelectorAll('button')].find(({ textContent, disabled }) => /^Shorten /.test(textContent) && !disabled)";
/** Expression that is true once the queue page shows the submitted list. */
export const GROUP_SHOWN = "document.querySelector('.progress ~ .list .row') !== null";
