import type { Database } from './database.ts';

/** Opens the database, and calls back where it is closed by another. */
export type Open = (closed: () => void) => Promise<Database>;

/** One database, for as long as it lasts: one that was closed, or never opened, is not kept. */
export class ReopenedDatabase {
  readonly #open: Open;
  #opened: Promise<Database> | null = null;

  constructor(open: Open) {
    this.#open = open;
  }

  get(): Promise<Database> {
    if (this.#opened) return this.#opened;
    const forget = () => {
      if (this.#opened === opened) this.#opened = null;
    };
    const opened = this.#open(forget);
    opened.catch(forget);
    this.#opened = opened;
    return opened;
  }
}
