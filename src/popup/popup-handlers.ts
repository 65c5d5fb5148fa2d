import type { Connection, LinkOptions, Request } from '../queue/types.ts';
import type { NewOrder } from '../ui/use-order.ts';

/** What to shorten; with which connection, the popup knows. */
export type Shorten = Pick<NewOrder, 'url' | 'title' | 'userInfoRemoved'> & {
  /** Absent: the user's link defaults apply. */
  options?: LinkOptions | null;
  /** The id of a request that this one replaces. */
  insteadOf?: string | undefined;
};

/** What the person can do in the popup; `use-handlers.ts` says how. */
export interface PopupHandlers {
  /** Resolves to true once it is accepted. */
  shorten: (what: Shorten) => Promise<boolean>;
  /** Makes another short URL of what has one. */
  shortenAnew: (what: Shorten) => Promise<boolean>;
  /** Asks again for what went unanswered, by the same id. */
  askAgain: () => void;
  /** Back from another URL to the page. */
  leaveOrder: () => void;
  cancel: (id: string) => void;
  retry: (id: string) => void;
  /** Notes that the person has the short URL of a request that waits: copied, or shown as a QR code. */
  handOut: (request: Request, shortUrl: string) => void;
  /** Drops what stands in a queue's way and tries now. */
  tryNow: (connectionId: string) => void;
  /** Asks the browser for access to a service. */
  allowAccess: (connection: Connection) => void;
  /** Makes a connection the default one, and shortens with it from now on. */
  choose: (connectionId: string) => void;
  dismissFlash: () => void;
  openOptions: () => void;
  /** Opens the page that leads a new person to the first link. */
  openWelcome: () => void;
  openLinks: () => void;
  /** Opens the page for many at once with a text that names several addresses. */
  openList: (text: string) => void;
  /** Opens the page for many addresses at once; it is told which tabs are selected in the tab strip now. */
  openMany: () => void;
  openQueue: () => void;
  open: (url: string) => void;
}
