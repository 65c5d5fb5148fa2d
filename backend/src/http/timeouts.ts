/** How long the service waits, for whom; all in milliseconds. */
export interface Timeouts {
  /** A client gets this long to send its headers, and its whole request; asked every `check`. */
  headers: number;
  request: number;
  check: number;
  /** An upload may stand still for as long as `request`, and take this long in all. */
  upload: number;
  /** How long a connection may idle between two requests. */
  keepAlive: number;
  /**
   * How long nothing of an answer may move before its client is cut off. The system takes more from the program only once a third
   * of what it holds is read: megabytes, which take somebody who reads steadily but slowly minutes.
   */
  unread: number;
  /** How long a stop leaves idle connections open, whose client may be about to send its next request. */
  drain: number;
  /** How long a stop waits for requests under way before it cuts them off. */
  stop: number;
  /** How long a stop then takes at most to count clicks and take leave of the database; the next process goes on where it was. */
  finish: number;
  /** How often what is past its time is removed from the store. */
  housekeeping: number;
  /** How often to look whether the block list has changed. */
  watch: number;
}

export const TIMEOUTS: Timeouts = {
  headers: 10_000,
  request: 20_000,
  check: 5_000,
  upload: 1_800_000,
  // Longer than proxies and browsers keep a connection, so that it is they who close it, never under a request.
  keepAlive: 120_000,
  unread: 900_000,
  // Busy clients come back within milliseconds.
  drain: 500,
  stop: 10_000,
  finish: 10_000,
  housekeeping: 3_600_000,
  watch: 1_000,
};
