/** The most links one file may have. */
export const ROW_LIMIT = 200_000;

/** The longest row taken, in characters: far more than a link needs. A row is held in memory as a whole. */
export const ROW_SIZE_LIMIT = 256 * 1024;

/** How much is read at a time, in bytes: so little that redirects hardly wait for it. */
export const SLICE = 16 * 1024;

/** A file that was uploaded. */
export interface ImportFile {
  /** In bytes. */
  size: number;
  /** The bytes from one position up to another, or up to the end of the file. */
  read(from: number, to: number): Promise<Buffer>;
}

/** The file cannot be imported; the message is a sentence for the person who chose it. */
export class FileProblem extends Error {
  override name = 'FileProblem';
}

/** @param after what was read before it, such as "line 12" */
export function tooLong(after: string): FileProblem {
  return new FileProblem(`This file has a row that is too long, after ${after}.`);
}
