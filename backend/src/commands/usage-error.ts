/** A mistake on the command line, in a sentence for the one who typed it. */
export class UsageError extends Error {
  override name = 'UsageError';
}
