import type { Link, Snapshot } from '../queue/types.ts';

/** What pages show: the queue's snapshot and the latest links, newest first. */
export interface View extends Snapshot {
  links: Link[];
}
