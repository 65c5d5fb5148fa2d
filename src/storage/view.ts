import type { Link, Snapshot } from '../queue/types.ts';

/** What pages show: the queue's snapshot, and the links they want, newest first. */
export interface View extends Snapshot {
  links: Link[];
}

/** The links a page wants: so many of the latest, and besides, however old, the newest of each URL and those of ids. */
export interface Wanted {
  latest?: number | undefined;
  urls?: string[] | undefined;
  ids?: string[] | undefined;
}
