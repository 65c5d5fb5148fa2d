import type { Link } from '../queue/types.ts';

/** What the links page can do; the wiring says how. */
export interface LinksHandlers {
  /** Hides the link, and takes it out of the history once the chance to undo has gone by. */
  remove: (link: Link) => void;
  undo: () => void;
  /** Stops the time in which a removal can be undone, and starts it anew. */
  hold: (on: boolean) => void;
  clear: () => void;
  /** Puts away the sentence that says what went wrong. */
  dismiss: () => void;
  open: (url: string) => void;
  openOptions: () => void;
  exportCsv: (links: Link[]) => void;
}
