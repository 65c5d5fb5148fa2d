import type { Queue, Request } from '../queue/types.ts';

/** The queues as pages show them: private requests are in it only for a page in a private window. */
export interface QueuesView {
  /** One for each connection, the default connection's first. */
  queues: Queue[];
  /** Requests whose connection was forgotten: they wait for the next one that is added. */
  unassigned: Request[];
}

/** The links a page asks for: so many of the latest, and besides, however old, those of URLs and ids. */
export interface LinkQuery {
  /** All of them where it is not there. */
  latest?: number;
  /** The newest links of each of these on each connection that last, or have lasted, until different times: long URLs or short ones. */
  urls?: string[];
  ids?: string[];
}
