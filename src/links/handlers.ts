import type { LinkChanges } from '../history/edit-link.ts';
import type { Clicks } from '../history/read-clicks.ts';
import type { Connection, Link } from '../queue/types.ts';

/** What the links page can do; the wiring says how. */
export interface LinksHandlers {
  /** Hides the link, and deletes it, or takes it out of the history, once the chance to undo has gone by. */
  remove: (link: Link) => void;
  undo: () => void;
  /** Stops the time in which a removal can be undone, and starts it anew. */
  hold: (on: boolean) => void;
  clear: () => void;
  /** Changes a link at its service. Null: it is done; else why not, for people. */
  edit: (link: Link, changes: LinkChanges) => Promise<string | null>;
  /** When a link was clicked; a text: why the service did not say, for people. */
  readClicks: (link: Link) => Promise<Clicks | string>;
  /** Reads the list of a connection's service once more. */
  readAgain: (connection: Connection) => void;
  allowAccess: (connection: Connection) => void;
  /** Says over the page what went wrong, and with which link. */
  tell: (problem: string, link: Link) => void;
  /** Puts away the sentence that says what went wrong. */
  dismiss: () => void;
  /** Opens its short URL: that of a private link in a private window, or not at all. */
  open: (link: Link) => void;
  openOptions: () => void;
  openMany: () => void;
  openQueue: () => void;
  exportCsv: (links: Link[]) => void;
}
