import type { Queue, Request } from '../queue/types.ts';

/** The queues as pages show them: private requests are in it only for a page in a private window. */
export interface QueuesView {
  /** One for each connection, the default connection's first. */
  queues: Queue[];
  /** Requests whose connection was forgotten: they wait for the next one that is added. */
  unassigned: Request[];
}
