import { randomUUID } from 'node:crypto';

// All that the bench knows of how this version of the extension is told things and what its pages show. Where the messages
// or the pages change, this file changes with them and nothing else does.

/** Stores a connection. */
export const connectMessage = (connection: { baseUrl: string; apiKey: string }) => ({ type: 'connect', ...connection });

/** Accepts a request. */
export const shortenMessage = (url: string, id: string = randomUUID()) => ({
  type: 'shorten',
  id,
  url,
  title: 'A page of the bench',
  private: false,
});

export const cancelMessage = (id: string) => ({ type: 'cancel', id });

/** Asks for what the popup shows, which the background reads from its database. */
export const VIEW_MESSAGE = { type: 'view', private: false, wanted: { latest: 5 } };

/** An expression: whether the links page shows its list of links. */
export const LINKS_SHOWN = "document.querySelector('.link .address') !== null";
/** An expression: whether the links page says that there is none. */
export const NO_LINKS_SHOWN = "document.body?.textContent.includes('No links yet') === true";

/** An expression: the popup's one button, or undefined. */
export const POPUP_BUTTON =
  "[...document.querySelectorAll('button')].find(({ textContent }) => textContent.includes('Shorten this page'))";
