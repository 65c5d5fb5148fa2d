import type { Link } from '../queue/types.ts';

/** What the links page can do; the wiring says how. */
export interface Actions {
  /** Hides the link, and takes it out of the history once the chance to undo has gone by. */
  remove: (link: Link) => void;
  undo: () => void;
  clear: () => void;
  open: (url: string) => void;
  exportCsv: (links: Link[]) => void;
}
